# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the root's Makefile.am: collectives by the address table. Not named Makefile.am: Open MPI's
# autogen.pl takes each folder of coll/ with a file of that name for a component, and there is only the core yet.
noinst_LTLIBRARIES += ompi/mca/coll/hitopo/libhitopo_coll_core.la

ompi_mca_coll_hitopo_libhitopo_coll_core_la_CXXFLAGS = $(AM_CXXFLAGS) -fvisibility=hidden
ompi_mca_coll_hitopo_libhitopo_coll_core_la_SOURCES = \
    ompi/mca/coll/hitopo/core/engine.cc \
    ompi/mca/coll/hitopo/core/engine.h \
    ompi/mca/coll/hitopo/core/groups.cc \
    ompi/mca/coll/hitopo/core/groups.h \
    ompi/mca/coll/hitopo/core/jobs.cc \
    ompi/mca/coll/hitopo/core/jobs.h \
    ompi/mca/coll/hitopo/core/model.cc \
    ompi/mca/coll/hitopo/core/model.h \
    ompi/mca/coll/hitopo/core/tree.cc \
    ompi/mca/coll/hitopo/core/tree.h
