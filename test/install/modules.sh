#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The module files load: in Lua with Lmod, in Tcl with Environment Modules and with Lmod. Debian's packages of these two may
# not be installed together, so they are only unpacked.
. "$(dirname "$0")/../mpi/common.sh"
[ -z "$in_tree" ] || { echo "ok - modules # SKIP they are of HiTopo out of the tree"; exit; }

cd "$scratch" || exit 1
for package in lmod environment-modules; do
    if ! { apt-get -qq download $package && dpkg-deb -x ${package}_*.deb $package; } >download.log 2>&1; then
        cat download.log >&2
        echo "ok - modules # SKIP apt gives no package $package"
        exit
    fi
done
lmod=$(find lmod -path "*/libexec/lmod" -type f | head -n 1)
modulecmd=$(find environment-modules -name modulecmd.tcl -type f | head -n 1)

# The folder as it was installed, and one with the file in Tcl alone: Lmod takes the other first.
installed=$HITOPO_PREFIX/share/hitopo/modulefiles
version=$(sed -n 's/^Version: //p' "$HITOPO_PREFIX/lib/pkgconfig/hitopo.pc") # an earlier one may be there, too
mkdir -p tcl/hitopo
cp "$installed/hitopo/$version" tcl/hitopo/

# with_module "lua5.3 LMOD"|"tclsh MODULECMD" FOLDER SHELL-COMMAND: its output after `module load hitopo` in a shell of its own.
with_module() {
    capture env MODULEPATH="$2" ${manpath+MANPATH="$manpath"} LMOD_CMD="$scratch/$lmod" \
        bash -c 'eval "$($0 bash load hitopo)"; eval "$1"' "$1" "$3"
}

check_module() {
    local name=$1 manpath=/usr/share/man
    shift
    with_module "$@" 'echo "$HITOPO_ROOT:$(command -v hitopo):$MANPATH:$CMAKE_PREFIX_PATH"'
    expect "$name sets HITOPO_ROOT, PATH, MANPATH, CMAKE_PREFIX_PATH" \
        printed "$HITOPO_PREFIX:$HITOPO_PREFIX/bin/hitopo:$HITOPO_PREFIX/share/man:/usr/share/man:$HITOPO_PREFIX"
    with_module "$@" 'pkg-config --modversion hitopo'
    expect "$name sets PKG_CONFIG_PATH" printed "$version"
    unset manpath
    with_module "$@" 'echo "MANPATH is ${MANPATH-not set}"'
    expect "$name leaves MANPATH alone where there is none" printed "MANPATH is not set"
    with_module "$@" 'mpirun -np 1 --oversubscribe --tune "$HITOPO_ROOT/share/hitopo/hitopo.conf" hitopo show'
    expect "$name: a job" printed "MPI_COMM_WORLD: 1 process"
}

check_module "Lmod" "lua5.3 $scratch/$lmod" "$installed"
check_module "Lmod, Tcl" "lua5.3 $scratch/$lmod" "$scratch/tcl"
check_module "Environment Modules" "tclsh $scratch/$modulecmd" "$installed"

with_module "tclsh $scratch/$modulecmd" "$installed" 'eval "$($0 bash unload hitopo)"; echo "root: ${HITOPO_ROOT-none}"'
expect "Environment Modules unloads it" printed "root: none"
