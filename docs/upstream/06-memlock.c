/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * cc 06-memlock.c -o devices -libverbs; as a user, without /sys/class/infiniband: (ulimit -l 32; ./devices)
 * Prints "libibverbs: Warning: RLIMIT_MEMLOCK is 32768 bytes", though there is no device.
 */
#include <infiniband/verbs.h>
#include <stdio.h>

int main(void)
{
    int num = 0;

    ibv_get_device_list(&num);
    printf("%d devices\n", num);
    return 0;
}
