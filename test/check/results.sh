# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: what became of each test, and the last lines, which have to explain each failure even where the record before
# them is cut.
#
# A task writes $results: a line `pass NAME`, `fail NAME` or `skip NAME: WHY` for each test, and behind a failed one up to ten
# lines of its own output, each after "| ".

pass() { printf 'pass %s\n' "$*" >>"$results"; }
skip() { printf 'skip %s\n' "$*" >>"$results"; }

# fail NAME [OUTPUT]: the lines of OUTPUT that matter are kept.
fail() { printf '%s\n' "fail $1" "$(what_matters <<<"${2-}" | sed 's/^/| /')" | grep . >>"$results"; }

# Prints at most ten lines of standard input: all, or those that name an error and the last ones, in their order.
what_matters() {
    grep -vE '^[[:space:]-]*$' | cut -c1-200 | awk '
        { line[NR] = $0; num = NR }
        END {
            for (i = 1; i <= num && left < 5; ++i)
                if (num <= 10 || line[i] ~ /[Ee]rror|[Ff]ail|[Ee]xpect|[Ww]rong|[Cc]annot|differ|signal|undefined/) { kept[i] = 1; ++left }
            for (i = num; i > 0 && left < 10; --i) if (!kept[i]) { kept[i] = 1; ++left }
            for (i = 1; i <= num; ++i) if (kept[i]) print line[i]
        }'
}

# verdicts COMMAND...: its lines `pass NAME`, `fail NAME` and `skip NAME: WHY` become results; its status counts if there are
# none. The output of a failed one: lines behind it that begin with four spaces; where there are none, those before it.
verdicts() {
    local line status failed='' before='' output=''
    end_failure() { [ -z "$failed" ] || fail "$failed" "${output:-$before}"; failed='' output=''; }
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
        'pass '*) end_failure; pass "${line#pass }"; before='' ;;
        'skip '*) end_failure; skip "${line#skip }"; before='' ;;
        'fail '*)
            [ -z "$failed" ] || { end_failure; before=''; }
            failed=${line#fail }
            ;;
        '    '*) if [ -n "$failed" ]; then output+=${line#    }$'\n'; else before+=$line$'\n'; fi ;;
        *)
            [ -z "$failed" ] || { end_failure; before=''; }
            before+=$line$'\n'
            ;;
        esac
    done < <("$@" 2>&1)
    wait $!
    status=$?
    end_failure
    [ $status -eq 0 ] || grep -q '^fail' "$results"
}

# count KIND FILE...
count() { cat "${@:2}" | grep -c "^$1 "; }

# ---- the last lines ----

# failures TASK...: "TASK<tab>NAME<tab>VERDICT" of each failed test.
failures() {
    local task name
    for task; do
        sed -n 's/^fail //p' "$logs/$task.results" | while IFS= read -r name; do
            printf '%s\t%s\t%s\n' "$task" "$name" "$(again "$task" "$name")"
        done
    done
}

# What became of a failed test when its task was run once more, alone.
again() {
    local results=$logs/$1.again.results
    if [ ! -e "$results" ]; then
        echo "failed"
    elif grep -qxF "fail $2" "$results" || ! grep -qE '^(pass|skip) ' "$results"; then
        echo "failed, and again alone"
    else
        echo "failed, passed alone: depends on load or order"
    fi
}

# excerpt TASK NAME NUMBER: of the failed test's output.
excerpt() { awk -v name="fail $2" '/^\| / { if (on) print; next } { on = $0 == name }' "$logs/$1.results" | head -n "$3"; }

# tell_failures TASK...: 57 lines at most, so that with what check prints behind them they are the last 60. Ten lines of output
# for each failed test; fewer where many failed; names alone, and not all of them, where more than fifty did.
tell_failures() {
    local all num each task name verdict
    all=$(failures "$@")
    [ -n "$all" ] || return 0
    num=$(wc -l <<<"$all")
    each=$((num > 56 ? 0 : 57 / num - 1))
    head -n 56 <<<"$all" | while IFS=$'\t' read -r task name verdict; do
        say "$task: $name: $verdict (build/check/$task.log)"
        excerpt "$task" "$name" $((each < 10 ? each : 10)) | sed 's/^/    /'
    done
    [ "$num" -le 56 ] || say "and $((num - 56)) more: grep -r '^fail' build/check --include='*.results'"
}
