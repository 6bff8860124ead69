# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The rows of bench/run hwsplit from hwsplit's output in pairs of jobs: without HiTopo, then with it.
function median(values, num,    sorted, i, j) {
    for (i = 1; i <= num; ++i) {
        for (j = i; j > 1 && sorted[j - 1] > values[i]; --j) sorted[j] = sorted[j - 1]
        sorted[j] = values[i]
    }
    least = sorted[1]
    most = sorted[num]
    return sorted[int((num + 1) / 2)]
}
$1 != "split" { next }
NF == 3 { without[$2] = $3; next }
{
    if (!($2 in num)) names[++num_names] = $2
    i = ++num[$2]
    wanted[$2] = $5
    us[$2, i] = without[$6]
    own_us[$2, i] = $4
    ratio[$2, i] = $3 / without[$6]
    same[$2, i] = $3 / $4
}
function median_of(all, name,    i, values) {
    for (i = 1; i <= num[name]; ++i) values[i] = all[name, i]
    return median(values, num[name])
}
END {
    for (n = 1; n <= num_names; ++n) {
        name = names[n]
        other = median_of(same, name)
        base = median_of(us, name)
        own = median_of(own_us, name)
        result = median_of(ratio, name)
        verdict = wanted[name] == 0 ? "" : result <= wanted[name] ? "yes" : "NO"
        printf "%5d  %-33s %6.2f %6s  %-3s  %5.2f %5.2f %6.2f %9.0f %9.0f\n", ranks, name, result,
            (wanted[name] == 0 ? "-" : wanted[name]), verdict, least, most, other, base, own
    }
}
