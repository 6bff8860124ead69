# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the framework's Makefile.am. Not named Makefile.am: Open MPI's autogen.pl takes each
# folder of a framework with a file of that name for a component.
noinst_LTLIBRARIES += libhitopo_core.la

libhitopo_core_la_CXXFLAGS = $(AM_CXXFLAGS) -fvisibility=hidden
libhitopo_core_la_SOURCES = \
    core/binding.cc \
    core/binding.h \
    core/bytes.cc \
    core/bytes.h \
    core/catalogue.cc \
    core/catalogue.h \
    core/cpuid_topology.cc \
    core/cpuid_topology.h \
    core/cpuset.cc \
    core/cpuset.h \
    core/guard.h \
    core/level.cc \
    core/level.h \
    core/machine.cc \
    core/machine.h \
    core/machine_codec.cc \
    core/name.cc \
    core/name.h \
    core/placement.cc \
    core/placement.h \
    core/result.h \
    core/text.cc \
    core/text.h
