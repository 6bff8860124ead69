# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For bare-debian and other-ompi: a Debian of its own in a folder, entered with chroot. The caller has set
#     program     its own name, for messages
#     debian      the folder
# Needs root and debootstrap. Packages come from where this machine gets its own.

# need_own_mounts COMMAND...: runs the caller again in a mount namespace of its own. Whatever happens, no
# mount is left behind.
need_own_mounts() {
    [ "$(id -u)" = 0 ] || { echo "$program: must be root, for chroot" >&2; exit 2; }
    [ -n "${HITOPO_OWN_MOUNTS-}" ] || HITOPO_OWN_MOUNTS=1 exec unshare --mount --propagation private "$@"
    command -v debootstrap >/dev/null || { echo "$program: needs debootstrap (apt-get install debootstrap)" >&2; exit 2; }
}

# The archive of Debian as apt knows it here.
archive() {
    apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
        awk '$2 == "Debian" { print $1; exit }'
}

# make_debian SUITE: with a shell and git.
make_debian() {
    local source
    if [ ! -e "$debian/made" ]; then
        source=$(archive)
        [ -n "$source" ] || { echo "$program: apt here knows no archive of Debian" >&2; exit 2; }
        echo "making a bare Debian ($1) in $debian"
        rm -rf --one-file-system "$debian"
        mkdir -p "$debian"
        debootstrap --variant=minbase --include=git,ca-certificates "$1" "$debian" "$source" >"$debian.log" 2>&1 ||
            { tail "$debian.log" >&2; exit 1; }
        touch "$debian/made"
    fi
    # How this machine reaches the archive (a proxy, timeouts) is how the folder does.
    apt-config dump --format '%F "%v";%n' Acquire | grep -v '""' >"$debian/etc/apt/apt.conf.d/50acquire" || true
    cp /etc/resolv.conf "$debian/etc/resolv.conf"
    cp /etc/hosts "$debian/etc/hosts"
    mount --bind "$debian" "$debian" # labs make namespaces of mounts, which begin at one
    mount -t proc proc "$debian/proc"
    mkdir -p "$debian/dev/shm"
    mount -t tmpfs tmpfs "$debian/dev/shm"
}

unmount_debian() {
    umount "$debian/sys" "$debian/dev/shm" "$debian/proc" "$debian" 2>/dev/null || true
}

# inside COMMAND...: with nothing of this machine's environment.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" chroot "$debian" "$@"
}
