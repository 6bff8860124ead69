# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the root's Makefile.am: the profiler, a library that stands before MPI. hitopo-profile, which reads
# its profiles, is in tool/tool.mk.
if HITOPO_WANT_PROFILER
pkglib_LTLIBRARIES += ompi/libhitopo_prof.la
nodist_pkgdata_DATA += hitopo-prof.conf
nodist_pkgconfig_DATA += hitopo-prof.pc
dist_pkgdata_DATA = profiler/help-hitopo-prof.txt
noinst_LTLIBRARIES = profiler/libhitopo_prof_core.la
BUILT_SOURCES = $(made_of_calls)
if HITOPO_WANT_COMMAND
dist_man1_MANS += docs/man/hitopo-profile.1
endif
endif

if HITOPO_PROFILER_ALONE
prof_libraries = $(HITOPO_LIBS)

# The wing takes these of HiTopo's sources, by their own makefiles.
taken_libraries = \
    ompi/mca/hitopo/file/libhitopo_file.la \
    ompi/mca/hitopo/libhitopo_core.la \
    ompi/mca/topo/hitopo/libhitopo_topo_core.la
all-local: $(taken_libraries)
$(taken_libraries):
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) -C $(@D) $(@F)
else
prof_libraries = ompi/libmpi_hitopo.la ompi/libompi_hitopo.la
endif

# What it knows without MPI: pure, as core is.
profiler_libhitopo_prof_core_la_CXXFLAGS = $(AM_CXXFLAGS) -fvisibility=hidden
profiler_libhitopo_prof_core_la_SOURCES = \
    profiler/gather/gather.cc \
    profiler/gather/gather.h \
    profiler/record/record.h \
    profiler/record/record_json.h \
    profiler/record/watched.h \
    profiler/report/report_file.cc \
    profiler/report/report_file.h \
    profiler/traffic/counters.cc \
    profiler/traffic/counters.h \
    profiler/traffic/kinds.cc \
    profiler/traffic/kinds.h \
    profiler/traffic/peers.h

ompi_libhitopo_prof_la_SOURCES = \
    profiler/count/call.cc \
    profiler/count/call.h \
    profiler/count/clock.h \
    profiler/count/communicators.cc \
    profiler/count/communicators.h \
    profiler/count/served.cc \
    profiler/count/thread_counters.cc \
    profiler/count/thread_counters.h \
    profiler/count/wrappers.cc \
    profiler/job.cc \
    profiler/job.h \
    profiler/other_tool.cc \
    profiler/profile_glue.c \
    profiler/profile_glue.h \
    profiler/report/part.cc \
    profiler/report/private_world.cc \
    profiler/report/private_world.h \
    profiler/report/report.cc \
    profiler/report/report.h \
    profiler/watch/node_memory.cc \
    profiler/watch/node_memory.h \
    profiler/watch/place.h \
    profiler/watch/places.cc \
    profiler/watch/watch.cc \
    profiler/watch/watch.h
# A call of MPI has no time for symbols that others may define.
ompi_libhitopo_prof_la_CXXFLAGS = $(AM_CXXFLAGS) -fvisibility=hidden
ompi_libhitopo_prof_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS) \
    -DHITOPO_PROF_HELP='"$(pkgdatadir)/help-hitopo-prof.txt"'
ompi_libhitopo_prof_la_LDFLAGS = -version-info 0:0:0 $(HITOPO_LDFLAGS)
ompi_libhitopo_prof_la_LIBADD = \
    $(prof_libraries) \
    profiler/libhitopo_prof_core.la \
    ompi/mca/hitopo/libhitopo_core.la \
    $(OMPI_LIBS) \
    -ldl

# What is made of the table.
made_of_calls = \
    profiler/count/made_functions.h \
    profiler/count/made_wrappers.h \
    profiler/count/made_fortran_wrappers.h
CLEANFILES += $(made_of_calls)
EXTRA_DIST += \
    profiler/count/calls.table \
    profiler/count/wrappers.awk

profiler/count/made_functions.h: part = functions
profiler/count/made_wrappers.h: part = c
profiler/count/made_fortran_wrappers.h: part = fortran
# MPI can be another one after configure.
$(made_of_calls): profiler/count/calls.table profiler/count/wrappers.awk config.status
	$(AM_V_GEN)$(MKDIR_P) profiler/count && \
	$(CC) -I$(srcdir) $(MPI_CPPFLAGS) -E $(srcdir)/ompi/mpiext/hitopo/c/mpiext_hitopo_c.h | \
	$(AWK) -f $(srcdir)/profiler/count/wrappers.awk -v part=$(part) RS=';' - RS='\n' $(srcdir)/profiler/count/calls.table >$@
.DELETE_ON_ERROR:
