# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For the labs in the folders beside this file: real parts (launchers, fabrics, nodes in namespaces) that
# one machine can play. Each folder has three commands:
#     up      starts the lab in build/lab/NAME; again is harmless
#     run     up, the tests, down; what ./check runs, with the variables and verdicts of test/mpi/common.sh
#     down    ends everything that up started, and leaves nothing; also after an interrupted run
# By hand, they use what `./check build-gcc mpi` built.
lab_build=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/check/gcc
export HITOPO_PREFIX=${HITOPO_PREFIX-$lab_build/install} HITOPO_TEST_PROGRAMS=${HITOPO_TEST_PROGRAMS-$lab_build/mpi}
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/common.sh"
lab_name=$(basename "$here")
lab=$source_root/build/lab/$lab_name

# need COMMAND PACKAGE...: skips the whole lab, loudly, unless all are there and we are root.
need() {
    [ "$(id -u)" = 0 ] || skip_lab "must be root"
    while [ $# -gt 0 ]; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null || skip_lab "no command $1 (package $2)"
        shift 2
    done
}

skip_lab() {
    echo "skip lab $lab_name: $1"
    exit 0
}
