# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the command's Makefile.am, in Open MPI's tree too: the program hitopo-profile, which `hitopo report` and
# `hitopo order` run. It links nothing of the library.
bin_PROGRAMS += hitopo-profile
hitopo_profile_CPPFLAGS = $(libhitopo_tool_la_CPPFLAGS)
hitopo_profile_SOURCES = ../../../profiler/tool/main.cc
hitopo_profile_LDADD = \
    libhitopo_profile.la \
    libhitopo_tool.la \
    $(top_builddir)/ompi/mca/hitopo/file/libhitopo_file.la \
    $(top_builddir)/ompi/mca/topo/hitopo/libhitopo_topo_core.la \
    $(top_builddir)/ompi/mca/hitopo/libhitopo_core.la \
    $(FMT_LIBS)

dist_schema_DATA += \
    ../../../profiler/tool/schema/profile.json \
    ../../../profiler/tool/schema/report.json

# All but main: tests are linked with it.
noinst_LTLIBRARIES += libhitopo_profile.la
libhitopo_profile_la_CPPFLAGS = $(libhitopo_tool_la_CPPFLAGS)
libhitopo_profile_la_SOURCES = \
    ../../../profiler/record/record.h \
    ../../../profiler/record/record_json.h \
    ../../../profiler/record/watched.h \
    ../../../profiler/tool/hang/hang.h \
    ../../../profiler/tool/hang/hang_find.cc \
    ../../../profiler/tool/hang/hang_read.cc \
    ../../../profiler/tool/hang/hang_text.cc \
    ../../../profiler/tool/order/order.cc \
    ../../../profiler/tool/order/order.h \
    ../../../profiler/tool/order/plan.cc \
    ../../../profiler/tool/page/page.cc \
    ../../../profiler/tool/profile/phrases.cc \
    ../../../profiler/tool/profile/phrases.h \
    ../../../profiler/tool/profile/profile.cc \
    ../../../profiler/tool/profile/profile.h \
    ../../../profiler/tool/profile/profile_parts.cc \
    ../../../profiler/tool/profile/profile_sums.cc \
    ../../../profiler/tool/profile/profile_sums.h \
    ../../../profiler/tool/profile/times.cc \
    ../../../profiler/tool/profile/times.h \
    ../../../profiler/tool/report/comparison.cc \
    ../../../profiler/tool/report/next.cc \
    ../../../profiler/tool/report/next.h \
    ../../../profiler/tool/report/report.cc \
    ../../../profiler/tool/report/report.h \
    ../../../profiler/tool/report/report_json.cc \
    ../../../profiler/tool/report/report_text.cc
nodist_libhitopo_profile_la_SOURCES = page_template.cc

# The page of `hitopo report -f html`, in the order in which it is put together.
page_folder = $(srcdir)/../../../profiler/tool/page
page = \
    $(page_folder)/page_head.html \
    $(page_folder)/page.html \
    $(page_folder)/page.css \
    $(page_folder)/page_units.js \
    $(page_folder)/page_tables.js \
    $(page_folder)/page_cells.js \
    $(page_folder)/page_matrix.js \
    $(page_folder)/page_main.js
EXTRA_DIST = $(page) $(page_folder)/page_embed.awk
CLEANFILES = page_template.cc

page_template.cc: $(page) $(page_folder)/page_embed.awk
	$(AM_V_GEN)$(AWK) -f $(page_folder)/page_embed.awk $(page) >$@.new && mv $@.new $@
