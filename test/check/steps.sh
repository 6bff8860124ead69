#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: what a task does. A task is a step, or a part of one (mpi-scripts/table/failures); `step_NAME [PART]` prints, in TAP,
# `ok - NAME`, `not ok - NAME` or `ok - NAME # SKIP WHY` for each test. Lines behind a failed one that begin with four spaces are
# its output; where there are none, the lines before it.
#
#     test/check/steps.sh run TASK [line]    the task's output goes to build/check/TASK.log
#     test/check/steps.sh again TASK         only what failed, to build/check/TASK.again.log
#     test/check/steps.sh line STEP TASK..   what became of these tasks
#
# $HITOPO_QUICK: not empty: only the quick part is asked for. $HITOPO_UNIT_TESTS: a filter of GoogleTest, or empty. $only: the tests
# that are asked for, a line each; "" is all.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
. config/common.sh
logs=$root/build/check
shopt -s nullglob
only=${only-} suffix=

# Seconds after which a script or a job hangs. No other verdict hangs on a clock: the machine may be as busy as it likes.
patience=1800

# Preloaded into MPI processes: those that wait for each other give their processor away.
patient=$logs/gcc/mpi/patience.so
export NAP_US=20

other_ompi=${HITOPO_OTHER_OMPI-} in_tree=
if [ -z "$other_ompi" ]; then
    export OMPI_MCA_pml=${OMPI_MCA_pml-^ucx,cm} # they look for networks for 0.2 s in each process
else
    export OMPI_MCA_btl_tcp_if_include=lo # from 5.0 on, jobs that meet do so over TCP
fi
if [[ $other_ompi = *-in-tree ]]; then
    in_tree=in-tree
    export HITOPO_IN_TREE=$HITOPO_OMPI_SOURCE/install
    export PATH=$HITOPO_IN_TREE/bin:$PATH LD_LIBRARY_PATH=$HITOPO_IN_TREE/lib
fi

# Test programs and scripts find these (test/mpi/common.sh).
export HITOPO_PREFIX=$logs/${in_tree:-gcc/install} HITOPO_TEST_PROGRAMS=$logs/gcc/mpi

# Objects that another checkout compiled alike are taken from there: gcc and clang are found in ccache's folder first.
if [ -d /usr/lib/ccache ]; then
    export PATH=/usr/lib/ccache:$PATH CCACHE_DIR=${HITOPO_CACHE:-$root/build}/ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
fi

# ---- tasks ----

# run TASK [line]: fails where others need what failed. A failed task without a failed test is one itself.
run() {
    local task=$1 log=$logs/$1$suffix.log step=${1%%/*} status TIMEFORMAT='%R %U %S'
    mkdir -p "${log%/*}"
    { time { ("step_${step//[-.]/_}" $([ "$step" = "$task" ] || echo "${task#*/}")) >"$log" 2>&1 </dev/null; }; } 2>"$log.seconds"
    status=$?
    if [ $status != 0 ]; then
        grep -q '^not ok - ' "$log" || echo "not ok - $task" >>"$log"
    elif ! grep -qE '^(not )?ok - ' "$log"; then
        echo "ok - $task" >>"$log"
    fi
    [ -z "${2-}" ] || line "$task" "$task"
    [[ $task != build-* && $task != *-programs ]] || ! grep -q '^not ok - ' "$log"
}

again() {
    export only
    only=$(sed -n 's/^not ok - //p' "$logs/$1.log") suffix=.again
    ! grep -qxF "$1" <<<"$only" || only=''
    say "once more, alone: $1"
    run "$1"
}

# line STEP TASK...: with the seconds of all tasks together.
line() {
    local logs_of=("${@:2}")
    logs_of=("${logs_of[@]/#/$logs/}")
    logs_of=("${logs_of[@]/%/.log}")
    awk -v step="$1" '
        FILENAME ~ /seconds$/ { wall += $1; cpu += $2 + $3; next }
        /^ok - .* # SKIP/ { sub(/ # SKIP/, ":"); print "    SKIPPED: " substr($0, 6); next }
        /^not ok - / { print "    failed: " substr($0, 10); verdict = "FAILED" }
        /^(not )?ok - / { ++tests }
        END { printf "%s  %s (%d tests, %.0f s, %.0f s of CPU)\n", verdict ? verdict : "ok", step, tests, wall, cpu }' \
        "${logs_of[@]}" "${logs_of[@]/%/.seconds}" | tee -a "$logs/lines"
}

# scripts: the tasks of step mpi-scripts, the longest first, as they were the last time.
scripts() {
    local script name
    for script in {,profiler/}test/mpi/*/*.sh; do
        name=${script#*test/mpi/} name=mpi-scripts/${name%.sh}
        [[ $name = *common ]] || echo "$(cut -d' ' -f1 "$logs/$name.log.seconds" 2>/dev/null || echo 0) $(wc -c <"$script") $name"
    done | sort -k1,1rn -k2,2rn | cut -d' ' -f3
}

# ---- for the steps below ----

pass() { echo "ok - $1"; }
skip() { echo "ok - $1 # SKIP $2"; }
fail() { printf '%s\n' "not ok - $1" "$(sed 's/^/    /' <<<"${2-}")"; } # NAME [OUTPUT]

# succeeds NAME COMMAND...: one test; shows the command's output where it fails.
succeeds() {
    local output
    if output=$("${@:2}" 2>&1); then pass "$1"; else fail "$1" "$output"; fi
}

wanted() { [ -z "$only" ] || grep -qxF -- "$1" <<<"$only"; }

# each_of FUNCTION ITEM...: as many at a time as there are processors.
each_of() { printf '%s\n' "${@:2}" | xargs -d '\n' -n 1 -P "$(jobs)" "$0" "$1"; }

# ---- builds: build/check/gcc and build/check/clang, warnings are errors ----

strict='-Wall -Wextra -Werror'
sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
fuzzed="$sanitizers -fsanitize=fuzzer-no-link"

# made FOLDER TARGET|VARIABLE=VALUE...: one make at a time in a folder.
made() {
    local folder=$logs/$1
    shift
    flock "$folder" make -s -C "$folder" -j"$(jobs)" --no-print-directory LIBTOOLFLAGS=--silent "$@"
}

# A library keeps objects of sources that it has no more, and flags, and an installation its old files: where a makefile
# changed, all are linked and installed anew.
everything_made() {
    local folder=$logs/$1
    if [ ! -e "$folder/made" ] ||
        [ -n "$(find . -path ./build -prune -o '(' -name '*.am' -o -name '*.mk' -o -name '*.m4' -o -name '*.map' ')' -newer "$folder/made" -print)" ]; then
        find "$folder" -name '*.la' -delete
        rm -rf "$folder/install"
    fi
    made "$1" all && made "$1" install && touch "$folder/made"
}

# With another Open MPI a build proves that its glue compiles; warnings that take an optimizer are 4.1's.
step_build_gcc() {
    local optimization=-O2
    [ -z "$other_ompi" ] || optimization=-O0
    [ -z "$in_tree" ] || test/in-tree-ompi "$HITOPO_OMPI_SOURCE" "${in_tree_options[@]}" ${in_tree_options_of[$other_ompi]} || return
    configured "$logs/gcc" ${in_tree:+--with-ompi="$HITOPO_IN_TREE"} --with-ompi-hook="$logs/hook" \
        CFLAGS="$optimization -g $strict" CXXFLAGS="$optimization -g1 $strict" FCFLAGS="$strict" &&
        everything_made gcc && mkdir -p "$logs/gcc/mpi" &&
        gcc -std=gnu11 -O2 $strict -shared -fPIC test/support/patience.c -o "$patient" -ldl || return
    [ -z "$in_tree" ] || in_tree_prefix
}

step_build_clang() {
    configured "$logs/clang" --enable-all-fortran-names CC=clang CXX=clang++ CFLAGS="-O1 -g $strict $sanitizers" CXXFLAGS="-O1 -g1 $strict $fuzzed" &&
        everything_made clang && nm -D "$logs/clang/install/lib/hitopo/libhitopo_prof.so" | grep -q ' MPI_SEND$'
}

# Some components as shared objects and the others in libmpi: both ways are tested.
in_tree_options=(
    --disable-oshmem
    --enable-mca-dso=hitopo-cpuid,hitopo-hwloc,hitopo-openib
    --enable-mca-no-build=io-romio341
    --with-devel-headers
    --with-hwloc=external
    --with-libevent=external
    --with-prrte=internal
)
# Main takes a newer PMIx than Debian has; its Fortran and its standard ABI are made by a submodule, which may be missing.
declare -A in_tree_options_of=(
    [5.0-in-tree]="--with-pmix=external"
    [main-in-tree]="--with-pmix=internal --disable-sphinx"
)
[ -e "${HITOPO_OMPI_SOURCE-}/3rd-party/pympistandard/src" ] || in_tree_options_of[main-in-tree]+=" --disable-mpi-fortran --disable-standard-abi"

# With HiTopo in libmpi, what programs are linked with and preload is empty, but for the profiler.
in_tree_prefix() {
    local library
    rm -rf "$logs/in-tree" && cp -a "$logs/gcc/install" "$logs/in-tree" && rm "$logs"/in-tree/lib/hitopo/* || return
    for library in libompi_hitopo libmpi_hitopo; do
        gcc -shared -o "$logs/in-tree/lib/hitopo/$library.so" -x c /dev/null || return
        ln -s $library.so "$logs/in-tree/lib/hitopo/$library.so.0"
    done
    cp "$logs"/gcc/install/lib/hitopo/libhitopo_prof.so* "$logs/in-tree/lib/hitopo/"
    cp "$HITOPO_IN_TREE/bin/hitopo" "$logs/in-tree/bin/"
    sed -i "s|$logs/gcc/install|$logs/in-tree|g" "$logs"/in-tree/lib/pkgconfig/*.pc "$logs"/in-tree/share/hitopo/*.conf
}

# Test programs without line numbers, and with little or no optimization: they take longer to compile than they
# run. What they test is in libraries, as it was built above, and what they compute with for long in one of its own.
tests_of() { # BUILD FLAGS TARGET...
    made "$1" test-jobs CXXFLAGS="-O1 $strict $2" && made "$1" "${@:3}" CXXFLAGS="-O0 $strict $2"
}

# ---- what is read ----

step_rings() { test/rings; }

cxx_files() {
    git ls-files --cached --others --exclude-standard '*.cc'
    git ls-files --cached --others --exclude-standard '*.h' | xargs grep -l '^namespace '
}

# Not what is quoted (examples/splitting), nor Fortran's headers.
c_files() {
    git ls-files --cached --others --exclude-standard '*.c'
    git ls-files --cached --others --exclude-standard '*.h' | xargs grep -L '^namespace ' |
        grep -vE '^examples/splitting/|mpif|usempi'
}

step_format() {
    check_format file $(cxx_files)
    check_format file:config/clang-format-c $(c_files | grep -v '^examples/splitting/')
}

# check_format STYLE FILE...
check_format() {
    local style=$1 file output
    shift
    output=$(clang-format --style="$style" --dry-run -Werror "$@" 2>&1)
    for file; do
        if grep -qF "$file:" <<<"$output"; then
            fail "$file" "clang-format --style=$style -i $file"$'\n'"$(grep -F "$file:" <<<"$output")"
        else
            pass "$file"
        fi
    done
}

# The files of a folder as one text: most of what they include is the same. Folders whose preprocessed text passed
# before are not looked at again.
tidied=${HITOPO_CACHE:-$logs}/tidy
tidy_folder() {
    local flags=(-std=c++17 -I. "-I$logs/gcc" -DOMPI_SKIP_MPICXX '-DHITOPO_PROF_HELP=""') key text=$logs/tidy/${1//\//-}.cc
    flags+=($(pkg-config --cflags fmt ompi-c))
    sources_to_tidy | grep "^$1/[^/]*$" | sed 's|.*|#include "&"  // NOLINT|' >"$text"
    key=$( (clang-tidy --version; cat .clang-tidy; clang++ "${flags[@]}" -E -P "$text") | sha256sum | cut -d' ' -f1)
    [ -e "$tidied/$key" ] || clang-tidy --quiet --config-file=.clang-tidy --warnings-as-errors='*' "$text" -- "${flags[@]}" || return
    touch "$tidied/$key"
}
each_tidy() { succeeds "$1" tidy_folder "$1"; }

# Neither tests, nor macros that make a wrapper for each MPI function, nor what stands in for another file.
sources_to_tidy() {
    cxx_files | grep -E '^(ompi|profiler)/.*\.cc$' | grep -vE '^profiler/test/|wrappers\.cc$|_no_umad\.cc$'
}

step_tidy() {
    mkdir -p "$logs/tidy" "$tidied"
    each_of each_tidy $(sources_to_tidy | sed 's|/[^/]*$||' | sort -u)
}

# ---- what is built ----

step_dlopen() {
    made gcc dlopen-test && "$logs/gcc/test/dlopen_test" "$logs/gcc/install/lib/hitopo"
}

# installed_less STAGED PATTERN OPTION...: installs as configured with OPTION, and lists what differs from all files but PATTERN's.
installed_less() {
    rm -rf "$1"
    configured "$logs/less" --prefix="$logs/gcc/install" "${@:3}" && made less install DESTDIR="$1" || return
    (cd "$1$logs/gcc/install" && find . ! -type d | sort) | diff <(grep -vE "$2" "$logs/installed.list") -
}

# parts_left_out STAGED: what gcc compiled is linked again without the profiler, and without what takes nlohmann_json.
parts_left_out() {
    local folder=$logs/less
    rm -rf "$folder" && mkdir "$folder" &&
        tar -C "$logs/gcc" --exclude=./install --exclude=./mpi --exclude=./test --exclude=./bench -c . | tar -C "$folder" -x &&
        installed_less "$1" 'hitopo[-_]prof|schema/(profile|report)' --disable-profiler &&
        installed_less "$1" 'hitopo[-_]prof|bin/hitopo|man/man1|completion|site-functions|share/hitopo/schema' \
            ac_cv_header_nlohmann_json_hpp=no
}

# PART: prefixes, or a script of test/install.
step_install() {
    if [ "$1" = prefixes ]; then install_and_uninstall; else timeout -k 5 $patience bash "test/install/$1.sh"; fi
}

# Into another place and out again: nothing is left, and the hook's link is where it was asked for.
install_and_uninstall() {
    local staged=$logs/staged
    rm -rf "$staged"
    made gcc install DESTDIR="$staged" || return
    succeeds "the hook's link" test -L "$staged$logs/hook/mca_hook_hitopo.so"
    (cd "$staged$logs/gcc/install" && find . ! -type d | sort) >"$logs/installed.list"
    made gcc uninstall DESTDIR="$staged" || return
    succeeds "make uninstall" has_no_files "$staged"
    [ -n "${HITOPO_QUICK-}" ] || succeeds "--disable-profiler, no nlohmann_json" parts_left_out "$staged"
}
has_no_files() { ! find "$1" ! -type d | grep .; }

step_package() {
    [ "$(id -u)" = 0 ] || { skip "package" "must be root, for chroot"; return; }
    timeout -k 20 $patience test/package "$logs/package"
}

step_release() { timeout -k 20 $patience test/release "$logs/release"; }

step_bench() {
    tests_of gcc "" benchmarks || return
    [ -x "$logs/gcc/bench/core_benchmark" ] || skip "no Google Benchmark" "the benchmarks are not built"
}

has_command() {
    export PATH="$logs/gcc/install/bin:$PATH" # hitopo-profile, which the one with false documents executes
    made gcc test/fake_hitopo CXXFLAGS="-O0 $strict" 2>/dev/null || { skip "no {fmt} or CLI11" "the command is not built"; return 1; }
}

step_command() {
    local status=0
    has_command || return 0
    sh test/tools/command.sh "$logs/gcc/test/fake_hitopo" "$root/test/fixtures" || status=$?
    bash test/tools/completion.sh "$logs/gcc/test/fake_hitopo" && return $status
}

# Debian's Python, which has Debian's Selenium.
step_report() {
    has_command || return 0
    timeout -k 5 $patience /usr/bin/python3 profiler/test/tool/report_page.py "$logs/gcc/test/fake_hitopo" "$root/test/fixtures"
}

# links_with ARCHIVE LIBRARY...: nothing is left undefined, it asks for nothing but what is below it.
links_with() {
    succeeds "${1##*/}" g++ -shared -Wl,-z,defs -o "$logs/layer.so" -Wl,--whole-archive "$1" -Wl,--no-whole-archive "${@:2}"
}

# The includes that test/arrows.py reads are half of it: what is declared by hand is found here.
# has_no_circle ARCHIVE: no two of its objects need each other, be it by others.
has_no_circle() {
    local circle
    circle=$(nm -A "$1" | awk '{ split($0, at, ":") } $(NF - 1) ~ /[TDBR]/ { home[$NF] = at[2] } $(NF - 1) == "U" { user[++num] = at[2]; need[num] = $NF }
        END { for (i = 1; i <= num; ++i) if (need[i] in home) print user[i], home[need[i]] }' | tsort 2>&1 >/dev/null)
    if [ -z "$circle" ]; then pass "no circle in ${1##*/}"; else fail "a circle in ${1##*/}" "$circle"; fi
}

step_layers() {
    local framework=$logs/gcc/ompi/mca/hitopo core mpi archive coll_core=$logs/gcc/ompi/mca/coll/hitopo/.libs/libhitopo_coll_core.a
    local topo=$logs/gcc/ompi/mca/topo/hitopo/.libs
    core=$framework/.libs/libhitopo_core.a
    mpi=$(makefile_value "$logs/gcc" OMPI_LIBS PMIX_LIBS)
    links_with "$core"
    for archive in "$framework"/*/.libs/libhitopo_*.a; do
        links_with "$archive" "$core" $(makefile_value "$logs/gcc" HWLOC_LIBS IBVERBS_LIBS) -ldl
    done
    links_with "$logs/gcc/profiler/.libs/libhitopo_prof_core.a" "$core"
    links_with "$coll_core" "$core"
    links_with "$topo/libhitopo_topo_core.a" "$core"
    links_with "$framework/.libs/libhitopo_base.a" "$core" $mpi -ldl
    has_no_circle "$framework/.libs/libhitopo_base.a"
    links_with "$framework/.libs/libhitopo_communicator.a" "$framework/.libs/libhitopo_base.a" "$core" $mpi
    archive=$logs/gcc/ompi/tools/hitopo/.libs/libhitopo_tool.a
    if [ -e "$archive" ]; then
        links_with "$archive" "$coll_core" "$topo/libhitopo_topo_core.a" "$core" -ldl $(makefile_value "$logs/gcc" FMT_LIBS)
        links_with "${archive/_tool/_profile}" "$archive" "$framework/file/.libs/libhitopo_file.a" "$topo/libhitopo_topo_core.a" \
            "$core" $(makefile_value "$logs/gcc" FMT_LIBS)
    else
        skip "no {fmt} or CLI11" "the command is not built"
    fi
}

# C++ symbols of two shared objects must never meet, and a program's own names are its own: in the linker's scope
# a preloaded library comes before the program's.
step_exports() {
    local object
    for object in "$logs"/gcc/install/lib/hitopo/*.so; do succeeds "${object##*/}" shows_our_symbols_only "$object"; done
}
shows_our_symbols_only() {
    ! nm -D --defined-only "$1" | cut -d' ' -f3 | grep -vE '^(P?MPIX?_[A-Z][a-z]|p?mpix?_.*_$|(mca|ompi_hitopo)_)'
}

# makefile_value FOLDER NAME...: what configure found.
makefile_value() {
    local name
    for name in "${@:2}"; do
        sed -n "s/^$name = //p" "$1/Makefile"
    done
}

# ---- unit tests ----

step_unit_programs() { tests_of gcc "" check TESTS=; }
step_unit() { run_unit_tests gcc "$1"; }

step_unit_sanitized_programs() { tests_of clang "$fuzzed" check TESTS=; }
step_unit_sanitized() {
    export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
    export HWLOC_COMPONENTS=-pci # docs/upstream.md, 56
    run_unit_tests clang "$1"
}

run_unit_tests() {
    local program=$logs/$1/test/$2_test filter=${HITOPO_UNIT_TESTS:-*}
    if [ ! -x "$program" ]; then
        skip "$2_test" "not built"
    elif "$program" --gtest_list_tests --gtest_filter="$filter" | grep -q '^  '; then
        run_gtest "$program"
    else
        skip "$2_test" "has no test $filter"
    fi
}

# ThreadSanitizer ends programs whose addresses are more random than it knows.
step_unit_threads() {
    local program=$logs/gcc/test/answers_test
    tests_of gcc "" thread-tests || return
    [ -x "$program" ] || { skip "answers_test" "not built"; return; }
    if setarch -R true; then run_gtest setarch -R "$program"; else run_gtest "$program"; fi
}

# run_gtest [COMMAND...] PROGRAM
run_gtest() {
    local filter=${only:-${HITOPO_UNIT_TESTS:-*}}
    "$@" --gtest_color=no --gtest_filter="${filter//$'\n'/:}" 2>&1 | awk '
        /^\[ RUN      \] / { name = $4; next }
        /^\[       OK \] .* ms\)$/ { print "ok - " name; name = ""; next }
        /^\[  SKIPPED \] .* ms\)$/ { print "ok - " name " # SKIP"; name = ""; next }
        /^\[  FAILED  \] .* ms\)$/ { print "not ok - " name; name = ""; next }
        { print }
        END { if (name != "") print "the program ended in this test\nnot ok - " name }'
    return "${PIPESTATUS[0]}"
}

# ---- MPI programs ----

# A program NAME_test.c in a folder of test/mpi fails by its exit status; the others there are for the scripts.
# Those that use checks.h are linked with HiTopo. Comments of a line each say how a test is run:
#     /* ranks: 2 4 */              instead of 1 2 4 7
#     /* mpirun: --bind-to core */  further options
#     /* mpirun 6.0: --mca .. */     further options with that Open MPI, and with main
#     /* libs: -lhwloc */           further libraries
mpi_sources=(test/mpi/*.c {,profiler/}test/mpi/*/*.c) mpi_tests=(test/mpi/*/*_test.c)
mpi_option() { sed -nE "s|^/\\* $2: (.*) \\*/\$|\\1|p" "$1"; }

# mpi_compile BUILD SOURCE FLAG...: makes $logs/BUILD/mpi/NAME.
mpi_compile() {
    local folder=$logs/$1 source=$2 name=${2##*/} libraries=() installed=$HITOPO_PREFIX
    [ "$1" = gcc ] || installed=$folder/install
    shift 2
    if grep -q '"test/mpi/checks.h"' "$source"; then
        libraries=(-L"$installed/lib/hitopo" "-Wl,-rpath,$installed/lib/hitopo" -lmpi_hitopo -lompi_hitopo)
    fi
    ! grep -q '<pmix' "$source" || libraries+=($(makefile_value "$folder" PMIX_LIBS))
    mkdir -p "$folder/mpi"
    # MPI 4.0 deprecates MPI_Info_get, and 4.1 has no other.
    mpicc -std=gnu11 -g $strict -Wno-deprecated-declarations "$@" -I"$root" \
        $(makefile_value "$folder" PMIX_CFLAGS OMPI_CPPFLAGS) "$source" -o "$folder/mpi/${name%.c}" \
        "${libraries[@]}" -lpthread -ldl $(mpi_option "$source" libs)
}

mpi_program() { succeeds "$1" mpi_compile gcc "$1"; }
step_mpi_programs() { each_of mpi_program "${mpi_sources[@]}"; }

# Open MPI itself leaves memory behind: valgrind looks for ours.
mpi_program_sanitized() {
    local output
    output=$(OMPI_CC=clang mpi_compile clang "$1" -O1 $sanitizers -fsanitize-link-c++-runtime -lstdc++ 2>&1) ||
        fail "$1 does not compile" "$output"
}

# mpi_run BUILD SOURCE RANKS: one test.
mpi_run() {
    local name=${2##*/}
    name="${name%.c} on $3 ranks"
    ! wanted "$name" || succeeds "$name" mpi_job "$@"
}
mpi_job() {
    local name=${2##*/} output
    local command=(timeout -k 5 $((patience + 20)) mpirun --timeout $patience -np "$3" --oversubscribe --mca mpi_yield_when_idle 1
        $(mpi_option "$2" mpirun) $(mpi_option "$2" "mpirun ${other_ompi/#main-*/6.0}") "$logs/$1/mpi/${name%.c}")
    local -x LD_PRELOAD=$patient
    output=$("${command[@]}" 2>&1) && return
    echo "$output"
    # Seldom mpirun errs (docs/upstream.md, 61), and hardly twice in a row.
    grep -q "exiting improperly" <<<"$output" && echo "once more, since mpirun takes a process for one that did not finalize" && "${command[@]}"
}

step_mpi() {
    local source ranks
    for source in "${mpi_tests[@]}"; do
        ranks=$(mpi_option "$source" ranks)
        for ranks in ${ranks:-1 2 4 7}; do
            mpi_run gcc "$source" "$ranks"
        done
    done
}

# A small quarantine: lifetime_test watches the resident memory. Step mpi has more processes, and thousands of repetitions.
step_mpi_sanitized() {
    local source ranks most
    export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1 UBSAN_OPTIONS=print_stacktrace=1 HITOPO_TEST_NUM_COMMS=100
    each_of mpi_program_sanitized "${mpi_tests[@]}"
    for source in "${mpi_tests[@]}"; do
        most=
        for ranks in $(mpi_option "$source" ranks); do
            [ -n "$most" ] && [ "$ranks" -gt 4 ] || most=$ranks
        done
        mpi_run clang "$source" "${most:-4}"
    done
}

step_mpi_scripts() { timeout -k 5 $patience bash "$(find test/mpi profiler/test/mpi -path "*/$1.sh")"; }

step_in_tree() { timeout -k 5 $patience bash test/in-tree/run; }

# test/lab/common.sh says what a lab is. Without its packages it skips itself.
lab() {
    local status
    timeout -k 20 $patience "test/lab/$1/run"
    status=$?
    "test/lab/$1/down"
    return $status
}
step_lab_infiniband() { lab infiniband; }
step_lab_slurm() { lab slurm; }
step_lab_nodes() { lab nodes; }

# ---- fuzzers ----

# fuzz_one PROGRAM: those inputs that are known, and then as many new ones as its source says, without which it is
# 20000: `// runs: 2000`. Known are test/fuzz/corpus/NAME and what the source names: `// seeds: FOLDER..`. New inputs go to
# build/check/corpus, and are kept for the next run. None takes 64 MiB at once: a number in a few bytes may not ask for that.
fuzz_one() {
    local name=${1##*/} seeds folder runs
    wanted "$name" || return 0
    name=${name#fuzz_} folder=$logs/corpus/$name
    seeds=($(find "test/fuzz/corpus/$name" -maxdepth 0 2>/dev/null) $(sed -n 's|^// seeds: ||p' "test/fuzz/fuzz_$name.cc"))
    mkdir -p "$folder"
    runs=$(sed -n 's|^// runs: ||p' "test/fuzz/fuzz_$name.cc")
    runs=$((${runs:-20000} + $(find "$folder" "${seeds[@]}" -type f | wc -l)))
    succeeds "fuzz_$name" "$1" -runs=$runs -timeout=$patience -rss_limit_mb=1024 -malloc_limit_mb=64 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$folder-" "$folder" "${seeds[@]}"
}

step_fuzz() {
    tests_of clang "$fuzzed -O1" fuzzers || return
    each_of fuzz_one $(find "$logs/clang/test/fuzz" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x)
}

# ---- Open MPI 5.0 ----

# The MPI part in a Debian that has it, and what became of it there.
step_ompi_5_0() {
    local inner=${HITOPO_CACHE:-$root/build}/ompi-5.0/debian/root/hitopo/build/check/results status
    [ "$(id -u)" = 0 ] || { skip "Open MPI 5.0" "must be root, for chroot"; return; }
    rm -f "$inner"
    test/other-ompi 5.0 ./check --quick build-gcc command mpi dlopen mpi-scripts
    status=$?
    [ ! -e "$inner" ] || sed -E 's/^((not )?ok - )/\15.0: /' "$inner"
    return $status
}

"$@"; exit
