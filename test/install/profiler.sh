#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler stands apart: these functions of HiTopo's libraries are all that it uses, --disable-profiler leaves it out with
# hitopo report and hitopo order, and --with-hitopo makes it alone, for such an installation.
scratch_template=${HITOPO_PREFIX%/install}.profiler.XXXXXX # as deep as what is copied: ccache makes paths relative
. "$(dirname "$0")/../mpi/common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - the profiler alone # SKIP no {fmt} or CLI11: the command is not built"; exit; }
built=${HITOPO_PREFIX%/install}
kept=$scratch/kept prefix=$scratch/kept/prefix
mkdir "$kept"
library=$HITOPO_PREFIX/lib/hitopo

cat >"$kept/used" <<'END'
PMPIX_Comm_register
PMPIX_Comm_split_hierarchy
PMPIX_Comm_split_roots
PMPIX_Comm_split_type
PMPIX_Comm_unregister
PMPI_Comm_split_type
ompi_hitopo_base_announce
ompi_hitopo_base_announce_layer
ompi_hitopo_base_at_start
ompi_hitopo_base_finalize
ompi_hitopo_base_has_abi
ompi_hitopo_base_is_common
ompi_hitopo_base_layer_runs_in_all_processes
ompi_hitopo_base_listen
ompi_hitopo_base_register_int
ompi_hitopo_base_start
ompi_hitopo_base_tell_too_small
ompi_hitopo_describe_table
ompi_hitopo_get_divided_levels
ompi_hitopo_get_known_levels
ompi_hitopo_read_addr
END
names() { nm -D "$@" | awk 'NF > 1 { print $NF }' | sort -u; }
# Functions that this Open MPI has itself, too, are Open MPI's.
comm -12 <(names --undefined-only "$library/libhitopo_prof.so") \
    <(names --defined-only "$library"/lib{mpi,ompi}_hitopo.so) >"$kept/is"
capture diff "$kept/used" "$kept/is"
expect "the profiler uses no other functions of HiTopo than these" succeeded
capture ldd "$HITOPO_PREFIX/bin/hitopo-profile"
expect "hitopo-profile is linked with neither HiTopo nor MPI" test "$status:$(grep -cE 'hitopo|mpi' <<<"$out")" = 0:0

# configured OPTION...: as the installation is, but for OPTIONs.
configured() {
    local options
    options=$("$built/config.status" --config)
    (cd "$scratch" && eval "$source_root/configure -q $options \"\$@\"")
}
files() { (cd "$prefix" && find . ! -type d | sort); }

# The objects are linked again.
tar -C "$built" --exclude=./install --exclude=./mpi --exclude=./test --exclude=./bench -c . | tar -C "$scratch" -x
find "$scratch" -name '*.la' -delete # they name the other prefix
capture configured --prefix="$prefix" --without-ompi-hook --disable-profiler
expect "configure --disable-profiler" succeeded
capture make -s -C "$scratch" install
expect "it is installed" succeeded
files >"$kept/before"
export PATH="$prefix/bin:${PATH#"$HITOPO_PREFIX/bin:"}"
for subcommand in report order; do
    capture hitopo $subcommand --help
    expect "hitopo $subcommand without the profiler" test "$status:$out" = \
        "2:hitopo: $subcommand needs the profiler, without which this HiTopo was built (no program hitopo-profile beside hitopo or in PATH)"
done
capture hitopo --help
expect "hitopo --help lists both" test "$(grep -cE '^ +(report|order) ' <<<"$out")" = 2

# Nothing that is there is taken.
find "$scratch" -mindepth 1 -maxdepth 1 ! -name kept -exec rm -rf {} +
capture configured --with-hitopo="$scratch"
expect "--with-hitopo where there is no HiTopo" test "$status:$(grep -c "with-hitopo=$scratch: there is no HiTopo" <<<"$out")" = 1:1
capture configured --prefix=NONE --with-hitopo="$prefix"
expect "configure --with-hitopo" succeeded
capture make -s -j"$(nproc)" -C "$scratch" install
expect "the profiler is made and installed" succeeded
files | comm -13 "$kept/before" - >"$kept/is"
cat >"$kept/wanted" <<'END'
./bin/hitopo-profile
./lib/hitopo/libhitopo_prof.la
./lib/hitopo/libhitopo_prof.so
./lib/hitopo/libhitopo_prof.so.0
./lib/hitopo/libhitopo_prof.so.0.0.0
./lib/pkgconfig/hitopo-prof.pc
./share/hitopo/help-hitopo-prof.txt
./share/hitopo/hitopo-prof.conf
./share/hitopo/schema/profile.json
./share/hitopo/schema/report.json
./share/man/man1/hitopo-profile.1
END
capture diff "$kept/wanted" "$kept/is"
expect "nothing else is" succeeded

cat >"$scratch/program.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int number = 0;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
C
capture mpicc "$scratch/program.c" -o "$scratch/program"
cd "$scratch" || exit 1
run -np 2 --tune "$prefix/share/hitopo/hitopo-prof.conf" --mca hitopo_prof_report job.json "$scratch/program"
expect "a job is profiled" test -s job.json
capture hitopo report job.json
expect "hitopo report shows its profile" printed "MPI_Bcast"
capture make -s -C "$scratch" uninstall
expect "make uninstall leaves the other" diff "$kept/before" <(files)
