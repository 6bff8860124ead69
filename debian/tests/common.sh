# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For the tests beside this file: a folder of their own, and jobs in it as autopkgtest's user, who may be root.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
[ -d /sys/devices/system/cpu ] || export HWLOC_HIDE_ERRORS=2 HWLOC_SHOW_ERRORS=none # hwloc 2, 3
here=$(cd "$(dirname "$0")" && pwd)
cd "${AUTOPKGTEST_TMP:-$(mktemp -d)}"

# job ARG...: four processes in bounded time, with no option of HiTopo's.
job() { timeout -k 10 300 mpirun -np 4 --oversubscribe "$@" </dev/null 2>&1; }

# has TEXT PATTERN NUMBER: so many of its lines match.
has() {
    [ "$(printf '%s\n' "$1" | grep -cE -- "$2")" = "$3" ] && return
    printf '%s\n' "$1" "there should be $3 lines like this: $2"
    exit 1
}
