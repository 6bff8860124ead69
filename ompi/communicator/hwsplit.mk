# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the framework's Makefile.am: Open MPI has a Makefile.am here.
libmca_hitopo_la_SOURCES += \
    ../../communicator/comm_hwsplit.cc \
    ../../communicator/comm_hwsplit.h \
    ../../communicator/comm_hwsplit_agree.cc \
    ../../communicator/comm_hwsplit_agree.h \
    ../../communicator/comm_hwsplit_glue.c \
    ../../communicator/comm_hwsplit_glue.h \
    ../../communicator/comm_hwsplit_hierarchy.cc \
    ../../communicator/comm_hwsplit_job.h \
    ../../communicator/comm_hwsplit_make.cc \
    ../../communicator/comm_hwsplit_make.h \
    ../../communicator/comm_hwsplit_origin.cc \
    ../../communicator/comm_hwsplit_origin.h \
    ../../communicator/comm_hwsplit_query.cc \
    ../../communicator/comm_hwsplit_request.cc \
    ../../communicator/comm_hwsplit_request.h \
    ../../communicator/comm_hwsplit_table.h \
    ../../communicator/comm_registry.cc \
    ../../communicator/comm_registry.h \
    ../../communicator/comm_registry_glue.c \
    ../../communicator/comm_registry_glue.h \
    ../../communicator/comm_registry_list.cc \
    ../../communicator/comm_registry_list.h
