# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the root's Makefile.am: the profiler, a library that stands before MPI.
profile = ompi/profile

pkglib_LTLIBRARIES += ompi/libhitopo_prof.la

ompi_libhitopo_prof_la_SOURCES = \
    ompi/profile/clock.h \
    ompi/profile/communicator.cc \
    ompi/profile/communicator.h \
    ompi/profile/counters.cc \
    ompi/profile/counters.h \
    ompi/profile/document.cc \
    ompi/profile/document.h \
    ompi/profile/fortran.cc \
    ompi/profile/fortran.h \
    ompi/profile/fortran_wrappers.cc \
    ompi/profile/generation.h \
    ompi/profile/job.cc \
    ompi/profile/job.h \
    ompi/profile/keys.cc \
    ompi/profile/ledger.cc \
    ompi/profile/ledger.h \
    ompi/profile/private_world.cc \
    ompi/profile/private_world.h \
    ompi/profile/profile_glue.c \
    ompi/profile/profile_glue.h \
    ompi/profile/profile_pvars.c \
    ompi/profile/report.cc \
    ompi/profile/report.h \
    ompi/profile/report_file.cc \
    ompi/profile/report_file.h \
    ompi/profile/scope.cc \
    ompi/profile/scope.h \
    ompi/profile/world.cc \
    ompi/profile/world.h \
    ompi/profile/wrappers.cc
ompi_libhitopo_prof_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
ompi_libhitopo_prof_la_LDFLAGS = -version-info 0:0:0 $(HITOPO_LDFLAGS)
ompi_libhitopo_prof_la_LIBADD = \
    ompi/libmpi_hitopo.la \
    ompi/libompi_hitopo.la \
    ompi/mca/hitopo/libhitopo_core.la \
    $(OMPI_LIBS) \
    -ldl

# What is made of the table.
made_of_calls = \
    ompi/profile/made_functions.h \
    ompi/profile/made_wrappers.h \
    ompi/profile/made_fortran_wrappers.h
BUILT_SOURCES = $(made_of_calls)
CLEANFILES += $(made_of_calls)
EXTRA_DIST += \
    ompi/profile/calls.table \
    ompi/profile/wrappers.awk

make_of_calls = $(AM_V_GEN)$(MKDIR_P) $(profile) && \
    $(AWK) -f $(srcdir)/$(profile)/wrappers.awk

$(made_of_calls): $(profile)/calls.table $(profile)/wrappers.awk
ompi/profile/made_functions.h:
	$(make_of_calls) -v part=functions $(srcdir)/$(profile)/calls.table >$@
ompi/profile/made_wrappers.h:
	$(make_of_calls) -v part=c $(srcdir)/$(profile)/calls.table >$@
ompi/profile/made_fortran_wrappers.h:
	$(make_of_calls) -v part=fortran $(srcdir)/$(profile)/calls.table >$@
