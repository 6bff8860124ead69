# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: runs tasks beside each other, so that all processors are busy to the end.
#
# A task is a step, or a part of one (mpi-scripts/table/failures); its work is the step's function, which gets the part.
# The caller has set, by step, needs (the step that has to be over before) and lane: "cpu" has as many places as there are
# processors, "wait" one more, for what waits more than it works.

declare -A lane=() needs=()

# run_task TASK LOG RESULTS: its status is 0 where no test failed. A failed task without a failed test is one itself.
run_task() {
    local task=$1 log=$2 step=${1%%/*} part='' status began=$SECONDS
    results=$3
    [ "$step" = "$task" ] || part=${task#*/}
    mkdir -p "${log%/*}"
    : >"$results"
    (
        "step_${step//[-.]/_}" $part
        status=$?
        times >"$log.times"
        exit $status
    ) >"$log" 2>&1 </dev/null
    status=$?
    if [ $status -ne 0 ] && [ "$(count fail "$results")" = 0 ]; then
        fail "$task" "$(tail -n 200 "$log")"
    elif [ ! -s "$results" ]; then
        pass "$task"
    fi
    echo "$((SECONDS - began)) $(tail -n 1 "$log.times" | cpu_seconds)" >"$log.seconds"
    rm -f "$log.times"
    [ "$(count fail "$results")" = 0 ]
}

# "1m2.5s 0m3.1s", as `times` tells of all that a shell waited for, are 65.6.
cpu_seconds() { awk '{ for (i = 1; i <= 2; ++i) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] } } END { printf "%.1f\n", sum }'; }

# run_pool TASK...: in this order, as far as places and needs allow. Calls `finished TASK` when one is over.
run_pool() {
    local -A task_of=() left=() broken=() places=([cpu]=$(jobs) [wait]=1)
    local -a waiting=("$@")
    local task step place need i pid status
    # Who is interrupted leaves nothing running.
    trap 'for pid in "${!task_of[@]}"; do end_tree $pid; done' EXIT
    trap 'exit 130' INT TERM
    for task; do left[${task%%/*}]=$((${left[${task%%/*}]-0} + 1)); done
    while [ ${#waiting[@]} -gt 0 ] || [ ${#task_of[@]} -gt 0 ]; do
        for i in "${!waiting[@]}"; do
            task=${waiting[i]} step=${task%%/*}
            place=${lane[$step]} need=${needs[$step]-}
            [ "${places[$place]}" -gt 0 ] && [ "${left[${need:-none}]-0}" -eq 0 ] || continue
            unset "waiting[$i]"
            if [ -n "${broken[${need:-none}]-}" ]; then
                leave_out "$task" "$need failed"
                over "$task" 1
            else
                places[$place]=$((places[$place] - 1))
                run_task "$task" "$logs/$task.log" "$logs/$task.results" &
                task_of[$!]=$task
            fi
        done
        [ ${#task_of[@]} -gt 0 ] || continue
        wait -n -p pid "${!task_of[@]}"
        status=$? task=${task_of[$pid]}
        unset "task_of[$pid]"
        place=${lane[${task%%/*}]}
        places[$place]=$((places[$place] + 1))
        over "$task" $status
    done
}

# end_tree PID: that process and all that it started, which are asked before it.
end_tree() {
    local child
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do end_tree "$child"; done
    kill "$1" 2>/dev/null
}

# over TASK STATUS: for run_pool.
over() {
    left[${1%%/*}]=$((left[${1%%/*}] - 1))
    [ "$2" -eq 0 ] || broken[${1%%/*}]=yes
    finished "$1"
}

# leave_out TASK WHY
leave_out() {
    mkdir -p "$(dirname "$logs/$1")"
    echo "skip $1: not run, since $2" >"$logs/$1.results"
    echo "0 0" >"$logs/$1.log.seconds"
}
