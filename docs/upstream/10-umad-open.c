/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * cc 10-umad-open.c -o umad -libumad; on a machine without the kernel module ib_umad: ./umad
 * Prints "ibwarn: .. get_abi_version: can't read ABI version from /sys/class/infiniband_mad/abi_version".
 */
#include <infiniband/umad.h>
#include <stddef.h>

int main(void)
{
    umad_init();
    return umad_open_port(NULL, 1) < 0;
}
