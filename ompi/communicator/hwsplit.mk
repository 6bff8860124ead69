# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the framework's Makefile.am: Open MPI has a Makefile.am here.
libhitopo_communicator_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
libhitopo_communicator_la_SOURCES = \
    ../../communicator/comm_hwsplit.cc \
    ../../communicator/comm_hwsplit.h \
    ../../communicator/hwsplit/comm_hwsplit_agree.cc \
    ../../communicator/hwsplit/comm_hwsplit_agree.h \
    ../../communicator/hwsplit/comm_hwsplit_glue.c \
    ../../communicator/hwsplit/comm_hwsplit_glue.h \
    ../../communicator/hwsplit/comm_hwsplit_hierarchy.cc \
    ../../communicator/hwsplit/comm_hwsplit_info.c \
    ../../communicator/hwsplit/comm_hwsplit_make.cc \
    ../../communicator/hwsplit/comm_hwsplit_make.h \
    ../../communicator/hwsplit/comm_hwsplit_query.cc \
    ../../communicator/hwsplit/comm_hwsplit_request.cc \
    ../../communicator/hwsplit/comm_hwsplit_request.h \
    ../../communicator/registry/registered.c \
    ../../communicator/registry/registered.h
