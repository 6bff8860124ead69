# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: the steps, what they need, and their parts. make runs them in the order of its goals, as far as needs allow.
#
#     STEP: what it needs     ## SET OMPI WHAT
#
# SET   quick: in both sets; all: in the whole one; named: only if it is named
# OMPI  any: also with other Open MPIs; out: with those that HiTopo is not built into; in: with the others; 4.1
#
# The longest come first: they would be left over at the end.

# The parts of the steps that have some.
install := $(addprefix install/,prefixes tour_of_commands $(if $(HITOPO_QUICK),,cmake component configure modules profiler recipes))
mpi-scripts := $(shell test/check/steps.sh scripts)
unit := $(addprefix unit/,core profiler tools base components)
unit-sanitized := $(unit:unit/%=unit-sanitized/%)
with_parts := install mpi-scripts unit unit-sanitized
parts := $(foreach step,$(with_parts),$($(step)))

ifndef IS_PART

build-gcc:                              ## quick any everything, warnings are errors; installed for the steps below
rings:                                  ## quick 4.1 who may include whom, what documents name (test/rings)
format:                                 ## quick 4.1 clang-format
mpi-programs: build-gcc                 ## quick any the programs of test/mpi compile
unit-programs: build-gcc                ## quick any the unit tests compile
lab-nodes: mpi-programs                 ## quick 4.1 jobs on many nodes, which are namespaces
lab-slurm: mpi-programs                 ## quick 4.1 jobs on a Slurm cluster in namespaces
lab-infiniband: mpi-programs            ## quick 4.1 component openib on fabrics simulated by ibsim
in-tree: mpi-programs                   ## quick in HiTopo in the source of Open MPI
build-clang: build-gcc                  ## all 4.1 everything with clang, ASan and UBSan
ompi-5.0: build-gcc                     ## all 4.1 the quick MPI part with Open MPI 5.0
unit-sanitized-programs: build-clang    ## all 4.1 the unit tests compile with clang, ASan and UBSan
mpi-scripts: mpi-programs               ## quick any the scripts of test/mpi
unit: unit-programs                     ## quick any GoogleTest: core, base, components and command
mpi: mpi-programs                       ## quick any the programs of test/mpi, each at several numbers of ranks
tidy: build-gcc                         ## all 4.1 clang-tidy
unit-sanitized: unit-sanitized-programs ## all 4.1 the unit tests under ASan and UBSan
fuzz: unit-sanitized-programs           ## all 4.1 each parser with some thousand inputs under ASan and UBSan
mpi-sanitized: build-clang              ## all 4.1 the programs of test/mpi under ASan and UBSan, once each
report: unit-programs                   ## quick 4.1 the page of hitopo report, in a browser
command: build-gcc                      ## quick any the command hitopo from outside
install: unit-programs                  ## quick out make install and uninstall; what configure says; CMake, module files
dlopen: build-gcc                       ## quick out each component loads by itself
layers: build-gcc                       ## quick out each library links with those below it alone
exports: build-gcc                      ## quick out shared objects show C symbols with our prefixes only
unit-threads: unit-programs             ## all 4.1 the framework and components in several threads, under ThreadSanitizer
bench: unit-programs                    ## all 4.1 the benchmarks compile; bench/run runs them
package:                                ## named 4.1 Debian packages, built and installed in a bare Debian
release:                                ## named 4.1 the tarball: the same bytes twice, make distcheck

$(mpi-scripts): mpi-programs
$(unit) $(install): unit-programs
$(unit-sanitized): unit-sanitized-programs

# Labs wait more than they work: one at a time, beside the others.
lab-slurm: | $(filter lab-nodes,$(MAKECMDGOALS))
lab-infiniband: | $(filter lab-nodes lab-slurm,$(MAKECMDGOALS))
endif

# Parts are run by a make of their own, so that this one goes on with the steps that follow.
alone := $(filter-out $(with_parts),$(shell sed -nE 's/^([^: ]+):.*\#\#.*/\1/p' $(firstword $(MAKEFILE_LIST))))
.PHONY: $(alone) $(with_parts) $(parts) list-of-parts
list-of-parts: ; @echo $(parts)
$(alone): ; @test/check/steps.sh run $@ line
$(parts): ; @test/check/steps.sh run $@ $(if $(IS_PART),,line)
$(with_parts): ; +@$(MAKE) -s -k -f $(firstword $(MAKEFILE_LIST)) IS_PART=yes $($@)
	@test/check/steps.sh line $@ $($@)
