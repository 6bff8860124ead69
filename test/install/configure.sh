#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What configure says of an Open MPI without its internal headers, or with some of them, and of wrong folders. Stand-ins for
# mpicc answer what configure asks it.
. "$(dirname "$0")/../mpi/common.sh"

headers=$scratch/include
mkdir -p "$headers/openmpi" "$scratch/no-headers" "$scratch/run"
touch "$headers/mpi.h" "$scratch/no-headers/mpi.h"

# mpicc_of NAME VERSION FOLDER: an Open MPI of that version whose headers are there.
mpicc_of() {
    cat >"$scratch/$1" <<END
#!/bin/sh
case \$1 in
--showme:version) echo "mpicc: Open MPI $2 (Language: C)" ;;
--showme:incdirs) echo "$3" ;;
--showme:libdirs) echo "$3" ;;
*) exec gcc "\$@" ;;
esac
END
    chmod +x "$scratch/$1"
}

# configure ARG...: captured. It stops where it looks for the headers.
configure() { capture bash -c 'cd "$0" && exec "$@"' "$scratch/run" "$source_root/configure" -q "$@"; }
refused() { [ "$status" = 1 ] && grep -qF -- "$1" <<<"$out"; }
names_three_ways() {
    local way
    for way in libopenmpi-dev --with-devel-headers --with-ompi-source=DIR 'contrib/into-openmpi DIR'; do
        refused "$way" || return
    done
}

mpicc_of none 4.1.4 "$scratch/no-headers"
configure --with-ompi="$scratch/none"
expect "no internal headers: what is missing" refused "Open MPI 4.1.4 of $scratch/none lacks internal headers that HiTopo is built with: there is no ompi_config.h."
expect "no internal headers: three ways on" names_three_ways

# As 5.0 installs them.
mkdir -p "$headers"/openmpi/opal/mca/base
touch "$headers"/openmpi/{ompi_config.h,opal/mca/base/base.h}
mpicc_of most 5.0.7 "$headers"
configure --with-ompi="$scratch/most"
expect "the headers that 5.0 lacks: what is missing" refused 'Open MPI 5.0.7 of '"$scratch"'/most lacks internal headers that HiTopo is built with: there is no opal/mca/threads/pthreads/'
expect "the headers that 5.0 lacks: three ways on" names_three_ways

# Earlier versions have no such folder.
mpicc_of broken 4.1.4 "$headers"
configure --with-ompi="$scratch/broken"
expect "headers that do not compile" refused "they do not compile, see config.log."

configure --with-ompi="$scratch/most" --with-ompi-source="$scratch/no-headers"
expect "a source that is none" refused "--with-ompi-source=$scratch/no-headers: this is no source of Open MPI"
configure --with-ompi="$scratch/nowhere"
expect "an Open MPI that is none" refused "no mpicc of Open MPI found (tried: $scratch/nowhere)"
# With what the Open MPI that is here lacks, as in config/common.sh: configure looks for its headers first.
configure ${HITOPO_OMPI_SOURCE:+--with-ompi-source="$HITOPO_OMPI_SOURCE"} --with-fortran-modules
expect "a folder for modules that is none" refused "--with-fortran-modules wants a folder"
