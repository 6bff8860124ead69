# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What quickstart, check and the labs share: packages, autogen, configure and make, each said in one line,
# quiet where it works, with the end of its log where it does not.
#
# The caller has set root, the source's folder.
export LC_ALL=C.UTF-8
export HOME="${HOME:-$root/build}"
logs=$root/build
mkdir -p "$logs"

build_packages=(
    autoconf
    automake
    g++
    gcc
    libcli11-dev
    libfmt-dev
    libhwloc-dev
    libibumad-dev
    libibverbs-dev
    libopenmpi-dev
    libpmix-dev
    libslurm-dev
    libtool
    libyaml-cpp-dev
    make
    nlohmann-json3-dev
    openmpi-bin
    pkg-config
)

# Open MPI refuses root by default; in a container there is nobody else. Without the right to trace,
# as in many containers, its shared memory transport fails on long messages unless told to copy.
if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 # prun
fi
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# The source may belong to another user, as in many containers.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$root

# hwloc says so on stderr where a chroot has no /sys; it reads /proc instead.
[ -d /sys/devices/system/cpu ] || export HWLOC_HIDE_ERRORS=2 HWLOC_SHOW_ERRORS=none # hwloc 2, 3

say() { printf '%s\n' "$@"; }

# die MESSAGE...: each on a line of its own.
die() {
    printf '%s\n' "$@" >&2
    exit 1
}

# logged NAME COMMAND...: output to build/NAME.log; where it fails, shows the log's end and stops.
logged() {
    local log=$logs/$1.log
    shift
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 30 "$log" >&2
    die "" "FAILED: $*" "These were the last lines of $log."
}

# The packages among "$@" that are not installed; none where there is no dpkg to ask.
missing_packages() {
    command -v dpkg-query >/dev/null || return 0
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            printf '%s\n' "$package"
    done
}

apt_install() {
    local install=(apt-get install -y --no-install-recommends "$@")
    export DEBIAN_FRONTEND=noninteractive
    "${install[@]}" || { apt-get update && "${install[@]}"; }
}

need_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || die "These packages are missing. As root:" "" \
        "    apt-get install --no-install-recommends ${missing[*]}" ""
    say "installing ${#missing[@]} packages with apt-get (log: build/packages.log)"
    logged packages apt_install "${missing[@]}"
}

need_configure() {
    [ -x "$root/configure" ] &&
        [ -z "$(find "$root/configure.ac" "$root"/config/hitopo_*.m4 -newer "$root/configure")" ] && return
    say "making ./configure (log: build/autogen.log)"
    logged autogen "$root/autogen.sh"
}

# configured FOLDER OPTION...: runs configure there unless it has run with the same options.
configured() {
    local folder=$1
    shift
    [ -z "${HITOPO_OMPI_SOURCE-}" ] || set -- --with-ompi-source="$HITOPO_OMPI_SOURCE" "$@"
    [ -f "$folder/Makefile" ] && [ "$(cat "$folder/options" 2>/dev/null)" = "$*" ] && return
    mkdir -p "$folder"
    (cd "$folder" && "$root/configure" -q --prefix="$folder/install" "$@") && printf '%s\n' "$*" >"$folder/options"
}

jobs() { nproc; }
