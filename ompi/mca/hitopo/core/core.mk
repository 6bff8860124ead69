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
    core/census.cc \
    core/cpuid_topology.cc \
    core/cpuid_topology.h \
    core/cpuset.cc \
    core/cpuset.h \
    core/dictionary.h \
    core/domain.cc \
    core/domain.h \
    core/fabric.cc \
    core/fabric.h \
    core/fabric_place.cc \
    core/fabric_place.h \
    core/flat_map.h \
    core/guard.h \
    core/host_name.h \
    core/host_pattern.cc \
    core/host_pattern.h \
    core/host_pattern_parse.cc \
    core/hostlist.cc \
    core/hostlist.h \
    core/hostlist_compress.cc \
    core/hostlist_parse.cc \
    core/ibnetdiscover.cc \
    core/ibnetdiscover.h \
    core/include_stack.cc \
    core/include_stack.h \
    core/inner_values.cc \
    core/inner_values.h \
    core/island_rule.cc \
    core/island_rule.h \
    core/level.cc \
    core/level.h \
    core/locality.cc \
    core/locality.h \
    core/machine.cc \
    core/machine.h \
    core/machine_codec.cc \
    core/map_file.cc \
    core/map_file.h \
    core/map_shape.cc \
    core/map_shape.h \
    core/map_words.cc \
    core/map_words.h \
    core/name.cc \
    core/name.h \
    core/name_book.cc \
    core/name_book.h \
    core/placement.cc \
    core/placement.h \
    core/plan.cc \
    core/plan.h \
    core/rank_list.cc \
    core/rank_list.h \
    core/record.cc \
    core/record.h \
    core/result.h \
    core/resource_name.cc \
    core/resource_name.h \
    core/roll_call.h \
    core/seating.cc \
    core/seating.h \
    core/slurm_addr.cc \
    core/slurm_addr.h \
    core/slurm_notice.cc \
    core/slurm_notice.h \
    core/split.cc \
    core/split.h \
    core/switch_levels.cc \
    core/switch_levels.h \
    core/switch_tree.cc \
    core/switch_tree.h \
    core/table.cc \
    core/table.h \
    core/text.cc \
    core/text.h \
    core/topology_conf.cc \
    core/topology_conf.h \
    core/topology_yaml.cc \
    core/topology_yaml.h \
    core/yaml_value.h
