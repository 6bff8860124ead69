#!/bin/sh
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The command from outside: what it prints where, and its exit codes, alone and under mpirun.
#
#   command.sh FAKE_HITOPO FIXTURES_DIR
#
# FAKE_HITOPO is main.cc and the formats linked with fake_describe.cc. Prints `ok - NAME` or `not ok - NAME`
# for each test, and exits 1 if one fails. Tests main.cc.

hitopo=$1
shows=$2/show
profiles=$2/profiles
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
FAKE_TABLE=$shows/two-islands.json
FAKE_PROCESSES=$shows/two-nodes-processes.json
FAKE_FRAMEWORK=$shows/framework.json
LC_ALL=C.UTF-8
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
    FAKE_TABLE FAKE_PROCESSES FAKE_FRAMEWORK LC_ALL

# run COMMAND..: leaves exit code in $code, output in out and err.
run() {
    "$@" >"$scratch/out" 2>"$scratch/err"
    code=$?
}

job() { mpirun --timeout 300 --oversubscribe "$@"; }

# job_in_turn RANKS COMMAND..: a launcher ends the whole job when one process fails, whatever another was about to
# say, and may lose what it said (docs/upstream.md). So rank 0 runs when the others have ended, whose exit codes
# go to $scratch/others; all messages go to $scratch/said.
job_in_turn() {
    rm -f "$scratch"/others "$scratch"/said
    touch "$scratch"/others
    job -np "$1" "$scratch/in_turn" "$@"
}
cat >"$scratch/in_turn" <<END
#!/bin/sh
ranks=\$1
shift
if [ "\$OMPI_COMM_WORLD_RANK" != 0 ]; then
    "\$@" 2>>'$scratch/said'
    echo \$? >>'$scratch/others'
    exit 0
fi
while [ \$(wc -l <'$scratch/others') -lt \$((ranks - 1)) ]; do sleep 0.05; done
exec "\$@" 2>>'$scratch/said'
END
chmod +x "$scratch/in_turn"

# expect NAME CONDITION..
expect() {
    name=$1
    shift
    if "$@"; then
        echo "ok - $name"
    else
        failures=$((failures + 1))
        echo "not ok - $name (exit code $code)"
        sed 's/^/    /' "$scratch/out" "$scratch/err" | head -20
    fi
}

same() { cmp -s "$scratch/$1" "$2"; }
has() { grep -qF -e "$2" "$scratch/$1"; }
lines() { test "$(grep -cF -e "$2" "$scratch/$1")" -eq "$3"; }

run "$hitopo" show
expect "alone: exit code" test "$code" -eq 0
expect "alone: the table" same out "$shows/two-islands.table.txt"

FAKE_TABLE=$shows/partly-known.json LC_ALL=C run "$hitopo" show -f tree
expect "the tree in ASCII" same out "$shows/partly-known.tree-ascii.txt"

run "$hitopo" info
expect "info: whether HiTopo is on" has out "HiTopo is on here; levels: cluster, island, switch, node, l2numa, socket, core, hwthread; collectives: off; reorder: off"
sed -i 1,2d "$scratch/out"
expect "info" same out "$shows/framework.info.txt"
run "$hitopo" info --report "$scratch/bug.txt"
expect "info --report: all sections" test "$code/$(grep -c '^## ' "$scratch/bug.txt")" = 0/7

run job -np 4 "$hitopo" show
expect "4 processes: exit code" test "$code" -eq 0
expect "4 processes: one table" same out "$shows/two-islands.table.txt"

run job -np 5 "$hitopo" show --why -f tree
expect "why: exit code" test "$code" -eq 0
expect "why: equal processes together" has out 'ranks 0-3  * slurm (50)     c0'
expect "why: who is silent" has out 'rank 4  HiTopo is off there'

if mpirun --version | grep -qF 'Open MPI) 5.0.'; then
    echo "ok - different options # SKIP mpirun 5.0.7 crashes on several programs (docs/upstream.md)"
else
    run job -np 2 "$hitopo" show : -np 2 "$hitopo" info
    expect "different options: rank 0's count" same out "$shows/two-islands.table.txt"

    run job -np 2 "$hitopo" show --why : -np 2 "$hitopo" show
    expect "why at rank 0 only: all answer" has out 'ranks 0-3  * slurm (50)     c0'
fi

run job_in_turn 3 "$hitopo" show --format bmp
expect "wrong use: exit code" test "$code" -eq 2
expect "wrong use: the others' exit codes" lines others 2 2
expect "wrong use: one message" lines said 'bmp' 1
expect "wrong use: no output" lines out '' 0

run job -np 3 "$hitopo" --version
expect "version once" lines out 'hitopo ' 1

FAKE_TABLE='' run job -np 2 "$hitopo" show
expect "no table: exit code" test "$code" -eq 1
expect "no table: one message" lines err 'hitopo: MPI_COMM_WORLD has no address table: FAKE_TABLE is not set.' 1

FAKE_TABLE=$shows/framework.json run "$hitopo" show
expect "another document: exit code" test "$code" -eq 1
expect "another document: message" has err 'different versions'

run "$hitopo" show --output "$scratch/file"
expect "to a file" same file "$shows/two-islands.table.txt"
expect "to a file: nothing printed" test ! -s "$scratch/out"

run "$hitopo" show --output /dev/full
expect "no room: exit code" test "$code" -eq 1
expect "no room: message" has err 'hitopo: /dev/full cannot be written: No space left on device'

run job -np 4 "$hitopo" check
expect "check: exit code" test "$code" -eq 0
expect "check: once" lines out '32 processes, 8 nodes, 4 switches, 2 islands: no faults' 1

FAKE_TABLE=$shows/partly-known.json run job -np 3 "$hitopo" check --output "$scratch/found"
expect "check: a fault's exit code" test "$code" -eq 1
expect "check: a fault in the file" lines found 'fault: rank 5: may run on all 4 CPUs' 1
expect "check: no message" lines err 'hitopo: ' 0

FAKE_TABLE=$shows/one-node-unbound.json OMP_NUM_THREADS=8 run job -np 4 "$hitopo" check --openmp
expect "check: threads of all" has out 'fault: ranks 0-3: OMP_NUM_THREADS is 8, but a process has 2 CPUs'

FAKE_TABLE=$shows/hostile-names.json run "$hitopo" check
expect "check: a document that is none: exit code" test "$code" -eq 1
expect "check: a document that is none: one line" lines err 'hitopo: ' 1

FAKE_TABLE='' run job -np 2 "$hitopo" check
expect "check: no table: one message" lines err 'hitopo: MPI_COMM_WORLD has no address table' 1

PMI_SIZE=4 PMI_RANK=0 run "$hitopo" check
expect "check as a job of its own beside others: exit code" test "$code" -eq 1
expect "check as a job of its own beside others: one message" lines err 'hitopo: MPI_COMM_WORLD has one process, but PMI_SIZE is 4' 1
PMI_SIZE=4 PMI_RANK=3 run "$hitopo" check
expect "check as a job of its own, not the first: silence" test "$(cat "$scratch/out" "$scratch/err")" = ''
PMI_SIZE=4 PMI_RANK=0 run job -np 1 "$hitopo" check
expect "check in mpirun's job within another" lines out ': no faults' 1

run job_in_turn 3 "$hitopo" check --why
expect "check: wrong use" test "$code" -eq 2
expect "check: wrong use: one message" lines said '--why' 1

# Commands that a report advises have the name that the user gave.
cp "$profiles/two-nodes.json" "$scratch/job.json"
cp "$profiles/two-nodes.json" "$scratch/a.json"
named() { (cd "$scratch" && "$@"); }
run named "$hitopo" report job.json
expect "report: exit code" test "$code" -eq 0
expect "report: the text" same out "$profiles/two-nodes.report.txt"

LC_ALL=C run sh -c '"$0" report - <"$1"' "$hitopo" "$profiles/two-nodes.json"
sed -i 's/report FILE/report job.json/' "$scratch/out"
expect "report: standard input, in ASCII" same out "$profiles/two-nodes.report-ascii.txt"

run named job -np 3 "$hitopo" report job.json
expect "report in a job: once" same out "$profiles/two-nodes.report.txt"

OMPI_MCA_pml=none run timeout 300 "$hitopo" show
expect "MPI_Init fails without a pml" test "$code" -ne 0
OMPI_MCA_pml=none run named "$hitopo" report job.json
expect "report where MPI_Init would fail" same out "$profiles/two-nodes.report.txt"

run "$hitopo" report "$profiles/two-nodes.json" -f html -o "$scratch/job.html"
expect "report: a page" has job.html '</html>'
expect "report: nothing printed" test ! -s "$scratch/out"

run "$hitopo" report "$profiles/two-nodes.json" -f json -o "$scratch/report.json"
expect "report: json" has report.json '"document": "report"'

run job -np 2 "$hitopo" report "$profiles/two-nodes.json" -f csv
expect "report: csv" lines out 'WORLD,1,4,0,' 9

run "$hitopo" report "$profiles/nowhere.json"
expect "no profile: exit code" test "$code" -eq 1
expect "no profile: message" has err "hitopo: $profiles/nowhere.json: cannot be read: No such file or directory."

sed 's/1051576/527288/; s/4, 3, 1050624/4, 3, 526336/; s/1, 0, 250000/1, 0, 150000/; s/0.001,/0.0009,/' "$profiles/two-nodes.json" >"$scratch/b.json"
run named "$hitopo" report --compare a.json b.json
expect "two profiles: exit code" test "$code" -eq 0
expect "two profiles: the text" same out "$profiles/two-nodes.compared.txt"

run job -np 3 "$hitopo" report --compare "$scratch/a.json" "$scratch/a.json"
expect "the same profile twice, in a job: once" lines out 'run time' 1

touch -d "2026-01-02 03:04:05" "$scratch/b.json"
for command in report order; do
    run "$hitopo" $command "$scratch/a.json" "$scratch/b.json" "$scratch/none.json"
    expect "$command of three files: wrong use" test "$code" -eq 2
    expect "$command of three files: the one that is not there, the oldest, the newest" \
        test "$(sed -n 's|.*/||; s|\.json\b||p' <"$scratch/err" | xargs)" = "none: No such file or directory b a"
    expect "$command of three files: all are counted, none is called a profile" has err 'hitopo: 3 files are given; name one of them'
    expect "$command of three files: their times" has err "2026-01-02 03:04:05  $scratch/b.json"
done

run sh -c '"$0" report --compare "$1" - <"$1"' "$hitopo" "$scratch/a.json"
expect "two profiles: one from standard input" has out 'run time   1.00 ms ->  1.00 ms   1.00'

run "$hitopo" report --compare - - </dev/null
expect "standard input twice: one message" lines err 'hitopo: standard input: it is empty' 1

run "$hitopo" report --compare "$scratch/a.json" "$profiles/nowhere.json"
expect "one profile is not there: exit code" test "$code" -eq 1
expect "one profile is not there: one message, no output" test "$(grep -c '^hitopo: ' "$scratch/err")" = 1 -a ! -s "$scratch/out"

run "$hitopo" report --compare "$scratch/a.json" "$scratch/b.json" -f html -o "$scratch/two.html"
expect "two profiles: a page" has two.html '</html>'

# Exit code and words: 2 is a wrong command line (command_test.cc has more of them), 1 what a file or the job does not allow.
while read -r wanted words; do
    run "$hitopo" $words
    expect "hitopo $words: exit code $wanted" test "$code" -eq "$wanted"
    expect "hitopo $words: one message, no output" test "$(grep -c '^hitopo: ' "$scratch/err")" = 1 -a ! -s "$scratch/out"
done <<END
2
2 foo
2 tune --output
1 report $profiles
1 report $shows/framework.json
1 report $profiles/two-nodes.json --side x://Y
1 order $profiles/nowhere.json
1 order --grid 2x2 --hostfile $profiles/nowhere
END
run job -np 2 "$hitopo" show --format svg --output "$scratch/job.svg"
expect "svg: exit code" test "$code" -eq 0
expect "svg: a picture" has job.svg '32 processes'

# An output that cannot be written changes no exit code but that of success.
while read -r wanted closed words; do
    run sh -c "exec \"\$0\" $words $closed" "$hitopo"
    expect "hitopo $words $closed: exit code $wanted" test "$code" -eq "$wanted"
done <<END
1 2>/dev/full report nowhere
1 2>&- report nowhere
2 2>/dev/full foo
2 2>&- foo
1 >/dev/full --help
1 >&- --help
1 >/dev/full complete
1 >/dev/full info
1 >&- info
1 2>&- report $profiles/two-nodes.json -o $scratch/no/folder
END
# Before long work: a tune that measured would crash here, since the table has more processes than the job.
for file in "$scratch/no/folder" "$scratch"; do
    run job -np 1 "$hitopo" tune --output "$file"
    expect "tune into $file: exit code" test "$code" -eq 1
    expect "tune into $file: one message" lines err "hitopo: $file cannot be written: " 1
    run "$hitopo" order --grid 2x2 --hostfile "$scratch/none" --format hostfile --output "$file"
    expect "order into $file: before it reads" lines err "hitopo: $file cannot be written: " 1
done

test "$failures" -eq 0
