# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the framework's Makefile.am. Not named Makefile.am: Open MPI's autogen.pl takes each
# folder of a framework with a file of that name for a component.
noinst_LTLIBRARIES += libhitopo_core.la

libhitopo_core_la_CXXFLAGS = $(AM_CXXFLAGS) -fvisibility=hidden
libhitopo_core_la_SOURCES = \
    core/address/bytes.cc \
    core/address/bytes.h \
    core/address/level.cc \
    core/address/level.h \
    core/address/name.cc \
    core/address/name.h \
    core/exchange/directory.cc \
    core/exchange/contest.cc \
    core/exchange/contest.h \
    core/exchange/dictionary.h \
    core/exchange/inner_choice.cc \
    core/exchange/inner_choice.h \
    core/exchange/inner_values.cc \
    core/exchange/inner_values.h \
    core/exchange/name_book.cc \
    core/exchange/name_book.h \
    core/exchange/network_choice.cc \
    core/exchange/network_choice.h \
    core/exchange/pieces.cc \
    core/exchange/pieces.h \
    core/exchange/plan.cc \
    core/exchange/plan.h \
    core/exchange/record.cc \
    core/exchange/record.h \
    core/exchange/roll_call.h \
    core/machine/binding.cc \
    core/machine/binding.h \
    core/machine/catalogue.cc \
    core/machine/catalogue.h \
    core/machine/cpuset.cc \
    core/machine/cpuset.h \
    core/machine/machine.cc \
    core/machine/machine.h \
    core/machine/machine_codec.cc \
    core/machine/placement.cc \
    core/machine/placement.h \
    core/network/island_rule.cc \
    core/network/island_rule.h \
    core/network/switch_levels.cc \
    core/network/switch_levels.h \
    core/network/switch_tree.cc \
    core/network/switch_tree.h \
    core/network/topology_conf.cc \
    core/network/topology_conf.h \
    core/network/uplinks.cc \
    core/network/uplinks.h \
    core/table/domain.cc \
    core/table/domain.h \
    core/table/locality.cc \
    core/table/locality.h \
    core/table/resource_name.cc \
    core/table/resource_name.h \
    core/table/node_layout.cc \
    core/table/node_layout.h \
    core/table/rank_map.cc \
    core/table/rank_map.h \
    core/table/rows.cc \
    core/table/rows.h \
    core/table/split.cc \
    core/table/split.h \
    core/table/table.cc \
    core/table/table.h \
    core/text/flat_map.h \
    core/text/guard.h \
    core/text/help_file.cc \
    core/text/help_file.h \
    core/text/host_name.h \
    core/text/hostlist.cc \
    core/text/hostlist.h \
    core/text/hostlist_compress.cc \
    core/text/hostlist_parse.cc \
    core/text/include_stack.cc \
    core/text/include_stack.h \
    core/text/natural_order.cc \
    core/text/natural_order.h \
    core/text/rank_list.cc \
    core/text/rank_list.h \
    core/text/result.h \
    core/text/safe_text.cc \
    core/text/safe_text.h \
    core/text/text.cc \
    core/text/text.h \
    core/text/version.h
