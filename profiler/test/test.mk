# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the root's Makefile.am: the tests of the profiler, report and order.
EXTRA_DIST += \
    profiler/test/mpi \
    profiler/test/tool/make_profile.py \
    profiler/test/tool/report_page.py

test_profiler_test_CPPFLAGS = $(test_tools_test_CPPFLAGS)
test_profiler_test_CXXFLAGS = $(test_tools_test_CXXFLAGS)
test_profiler_test_LDADD = profiler/libhitopo_prof_core.la $(profile_library) $(core_library) $(GTEST_LIBS) $(FMT_LIBS) -lpthread
test_profiler_test_SOURCES = \
    profiler/test/gather/fake_world.h \
    profiler/test/gather/gather_test.cc \
    profiler/test/report/report_path_test.cc \
    profiler/test/traffic/counters_test.cc \
    profiler/test/traffic/kinds_test.cc \
    profiler/test/traffic/orders_test.cc \
    profiler/test/traffic/peers_test.cc \
    profiler/test/traffic/sampling_test.cc \
    profiler/test/tool/comparison_test.cc \
    profiler/test/tool/hang_test.cc \
    profiler/test/tool/next_test.cc \
    profiler/test/tool/order_test.cc \
    profiler/test/tool/profile_fixtures.h \
    profiler/test/tool/profile_orders_test.cc \
    profiler/test/tool/profile_parts_test.cc \
    profiler/test/tool/profile_test.cc \
    profiler/test/tool/report_test.cc \
    profiler/test/tool/side_lanes_test.cc \
    profiler/test/tool/units_test.cc
