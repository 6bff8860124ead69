# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: the verdicts of all tasks, and the last lines, which have to explain each failure even where the record before
# them is cut.
#
#     cd build/check && awk -f results.awk TASK.again.log.. TASK.log..
#
# reads TAP as steps.sh explains it, writes the file `results` (the verdicts, and what matters of a failed test's output), and
# prints the failed tests and the counts: 59 lines at most.

# Of num lines at most ten: all, or those that name an error and the last ones, in their order.
function what_matters(line, num,    i, left, kept, text) {
    for (i = 1; i <= num && left < 5; ++i)
        if (num <= 10 || line[i] ~ /[Ee]rror|[Ff]ail|[Ee]xpect|[Ww]rong|[Cc]annot|differ|signal|undefined/) left += kept[i] = 1
    for (i = num; i > 0 && left < 10; --i) if (!kept[i]) left += kept[i] = 1
    for (i = 1; i <= num; ++i) if (kept[i]) text = text "    " substr(line[i], 1, 200) "\n"
    return text
}

# A failed test's output begins behind its verdict with four spaces, or it is what stands before the verdict.
function end_failure() {
    if (!has_failed) return
    text = num_behind ? what_matters(behind, num_behind) : what_matters(before, num_before)
    printf "%s", text >"results"
    failed[++num_failed] = task SUBSEP name
    output[num_failed] = text
    has_failed = num_behind = num_before = 0
}

FNR == 1 {
    end_failure()
    task = FILENAME
    is_again = sub(/\.again\.log$/, "", task)
    sub(/\.log$/, "", task)
    num_before = 0
}
/^(not )?ok - / {
    end_failure()
    name = substr($0, index($0, " - ") + 3)
    if (is_again) {
        again[task]
        again[task, name] = $1
        next
    }
    print >"results"
    if ($1 == "not") has_failed = 1
    else if (name ~ / # SKIP/) ++num_skipped
    else ++num_passed
    if (!has_failed) num_before = 0
    next
}
has_failed && /^    .*[^ \t-]/ { behind[++num_behind] = substr($0, 5); next }
{ end_failure() }
/[^ \t-]/ { before[++num_before] = $0 }

END {
    end_failure()
    num_lines = num_failed > 56 ? 0 : num_failed ? int(57 / num_failed) - 1 : 0
    for (i = 1; i <= num_failed && i <= 56; ++i) {
        split(failed[i], part, SUBSEP)
        outcome = !(part[1] in again) ? "" : again[failed[i]] == "ok" ? ", passed alone: depends on load or order" : ", and again alone"
        printf "%s: %s: failed%s (build/check/%s.log)\n", part[1], part[2], outcome, part[1]
        num = split(output[i], line, "\n") - 1
        for (l = 1; l <= num && l <= num_lines; ++l) print line[l]
    }
    if (num_failed > 56) printf "and %d more: grep '^not ok' build/check/results\n", num_failed - 56
    printf "%d passed, %d failed%s\n", num_passed, num_failed, num_skipped ? ", " num_skipped " skipped" : ""
    exit num_failed > 0
}
