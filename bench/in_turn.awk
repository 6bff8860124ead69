# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# A row of collective_time's output: -v what=WORDS, microseconds without (the first duplicate) and with (MPI_COMM_WORLD),
# their ratio and its 95 % interval, that of the second duplicate, which is without too, and the third's microseconds
# or -v other=WORD.
$1 == "collective_ms" { us[++num] = $2 * 1000; ratio[num] = $4; interval[num] = $5 "-" $6 }
END {
    if (num < 3) {
        print what, " FAILED"
        exit 1
    }
    printf "%s %9.1f %9.1f %6.2f %12s %12s %9s\n", what, us[num], us[1], ratio[1], interval[1], interval[num - 1],
        (num > 3 ? sprintf("%.1f", us[2]) : other)
}
