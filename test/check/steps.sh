# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For check: what the steps do. `step_NAME [PART]` runs in a shell of its own; it calls pass, fail and skip (results.sh) for each
# test, and its output is build/check/NAME.log. $is_quick: only the quick part is asked for. $only: the tests that are asked for, a line
# each; "" is all.

# Seconds after which a script or a job hangs. No other verdict hangs on a clock: the machine may be as busy as it likes.
patience=1800

# Preloaded into MPI processes: those that wait for each other give their processor away.
patient=$logs/gcc/mpi/patience.so
export NAP_US=20

wanted() { [ -z "$only" ] || grep -qxF -- "$1" <<<"$only"; }

# each_of COMMAND ITEM...: as many at a time as there are processors.
each_of() {
    local command=$1 num_running=0 item
    shift
    for item; do
        if [ $num_running = "$(jobs)" ]; then
            wait -n
            num_running=$((num_running - 1))
        fi
        "$command" "$item" &
        num_running=$((num_running + 1))
    done
    wait
}

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

# prefix BUILD: what test programs and scripts take for HiTopo's installation.
prefix() { if [ -n "$in_tree" ]; then echo "$logs/in-tree"; else echo "$logs/$1/install"; fi; }

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

step_rings() { verdicts test/rings; }

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
            fail "$file (clang-format --style=$style -i $file)" "$(grep -F "$file:" <<<"$output")"
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
    if [ -e "$tidied/$key" ] ||
        clang-tidy --quiet --config-file=.clang-tidy --warnings-as-errors='*' "$text" -- "${flags[@]}" >"$text.out" 2>&1; then
        touch "$tidied/$key"
        pass "$1"
    else
        fail "$1" "$(grep -v ' warnings generated' "$text.out")"
    fi
}

# Neither tests, nor macros that make a wrapper for each MPI function, nor what stands in for another file.
sources_to_tidy() {
    cxx_files | grep -E '^(ompi|profiler)/.*\.cc$' | grep -vE '^profiler/test/|wrappers\.cc$|_no_umad\.cc$'
}

step_tidy() {
    mkdir -p "$logs/tidy" "$tidied"
    each_of tidy_folder $(sources_to_tidy | sed 's|/[^/]*$||' | sort -u)
}

# ---- what is built ----

step_dlopen() {
    made gcc dlopen-test && verdicts "$logs/gcc/test/dlopen_test" "$logs/gcc/install/lib/hitopo"
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
    if [ "$1" = prefixes ]; then
        install_and_uninstall
    else
        export HITOPO_PREFIX HITOPO_TEST_PROGRAMS=$logs/gcc/mpi
        HITOPO_PREFIX=$(prefix gcc)
        verdicts timeout -k 5 $patience bash "test/install/$1.sh"
    fi
}

# Into another place and out again: nothing is left, and the hook's link is where it was asked for.
install_and_uninstall() {
    local staged=$logs/staged left
    rm -rf "$staged"
    made gcc install DESTDIR="$staged" || return
    if [ -L "$staged$logs/hook/mca_hook_hitopo.so" ]; then pass "the hook's link"; else fail "--with-ompi-hook links no hook"; fi
    (cd "$staged$logs/gcc/install" && find . ! -type d | sort) >"$logs/installed.list"
    made gcc uninstall DESTDIR="$staged" || return
    left=$(find "$staged" ! -type d)
    if [ -z "$left" ]; then pass "make uninstall"; else fail "make uninstall leaves files" "$left"; fi
    [ -z "$is_quick" ] || return 0
    if left=$(parts_left_out "$staged" 2>&1); then
        pass "--disable-profiler, no nlohmann_json"
    else
        fail "--disable-profiler or no nlohmann_json leaves out something else than these parts" "$left"
    fi
}

step_package() {
    [ "$(id -u)" = 0 ] || { skip "package: must be root, for chroot"; return; }
    verdicts timeout -k 20 $patience test/package "$logs/package"
}

step_release() { verdicts timeout -k 20 $patience test/release "$logs/release"; }

step_bench() {
    tests_of gcc "" benchmarks || return
    [ -x "$logs/gcc/bench/core_benchmark" ] || skip "no Google Benchmark: the benchmarks are not built"
}

has_command() {
    export PATH="$logs/gcc/install/bin:$PATH" # hitopo-profile, which the one with false documents executes
    made gcc test/fake_hitopo CXXFLAGS="-O0 $strict" 2>/dev/null || { skip "no {fmt} or CLI11: the command is not built"; return 1; }
}

step_command() {
    has_command || return 0
    verdicts sh test/tools/command.sh "$logs/gcc/test/fake_hitopo" "$root/test/fixtures" &&
        verdicts bash test/tools/completion.sh "$logs/gcc/test/fake_hitopo"
}

# Debian's Python, which has Debian's Selenium.
step_report() {
    has_command || return 0
    verdicts timeout -k 5 $patience /usr/bin/python3 profiler/test/tool/report_page.py "$logs/gcc/test/fake_hitopo" "$root/test/fixtures"
}

# links_with ARCHIVE LIBRARY...: nothing is left undefined.
links_with() {
    local output
    if output=$(g++ -shared -Wl,-z,defs -o "$logs/layer.so" -Wl,--whole-archive "$1" -Wl,--no-whole-archive "${@:2}" 2>&1); then
        pass "${1##*/}"
    else
        fail "${1##*/} asks for what is not below it" "$output"
    fi
}

# The includes that test/arrows.py reads are half of it: what is declared by hand is found here.
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
    links_with "$framework/.libs/libhitopo_communicator.a" "$framework/.libs/libhitopo_base.a" "$core" $mpi
    archive=$logs/gcc/ompi/tools/hitopo/.libs/libhitopo_tool.a
    if [ -e "$archive" ]; then
        links_with "$archive" "$coll_core" "$topo/libhitopo_topo_core.a" "$core" -ldl $(makefile_value "$logs/gcc" FMT_LIBS)
        links_with "${archive/_tool/_profile}" "$archive" "$framework/file/.libs/libhitopo_file.a" "$topo/libhitopo_topo_core.a" \
            "$core" $(makefile_value "$logs/gcc" FMT_LIBS)
    else
        skip "no {fmt} or CLI11: the command is not built"
    fi
}

# C++ symbols of two shared objects must never meet, and a program's own names are its own: in the linker's scope
# a preloaded library comes before the program's.
step_exports() {
    local object symbols
    for object in "$logs"/gcc/install/lib/hitopo/*.so; do
        symbols=$(nm -D --defined-only "$object" | cut -d' ' -f3 |
            grep -vE '^(P?MPIX?_[A-Z][a-z]|p?mpix?_.*_$|(mca|ompi_hitopo)_)')
        if [ -z "$symbols" ]; then pass "${object##*/}"; else fail "${object##*/} shows other symbols than ours" "$symbols"; fi
    done
}

# makefile_value FOLDER NAME...: what configure found.
makefile_value() {
    local name
    for name in "${@:2}"; do
        sed -n "s/^$name = //p" "$1/Makefile"
    done
}

# ---- unit tests ----

unit_programs=(core base components tools profiler)

step_unit_programs() { tests_of gcc "" check TESTS=; }
step_unit() { run_unit_tests gcc "$1"; }

step_unit_sanitized_programs() { tests_of clang "$fuzzed" check TESTS=; }
step_unit_sanitized() {
    export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
    export HWLOC_COMPONENTS=-pci # docs/upstream.md, 56
    run_unit_tests clang "$1"
}

run_unit_tests() {
    local program=$logs/$1/test/$2_test
    if [ -x "$program" ]; then run_gtest "$program"; else skip "$2_test: not built"; fi
}

# ThreadSanitizer ends programs whose addresses are more random than it knows.
step_unit_threads() {
    local program=$logs/gcc/test/answers_test
    tests_of gcc "" thread-tests || return
    [ -x "$program" ] || { skip "answers_test: not built"; return; }
    if setarch -R true; then run_gtest setarch -R "$program"; else run_gtest "$program"; fi
}

# run_gtest [COMMAND...] PROGRAM
run_gtest() {
    local filter
    filter=$(paste -sd: <<<"$only")
    verdicts gtest_verdicts "$@" --gtest_color=no ${only:+"--gtest_filter=$filter"}
}

gtest_verdicts() {
    "$@" 2>&1 | awk '
        # The first ten lines of a failed test tell most; all go to the log.
        function tell(verdict) {
            print verdict " " name
            for (i = 1; verdict == "fail" && i <= num; ++i) print (i <= 10 ? "    " : " ") line[i]
            name = ""
        }
        /^\[ RUN      \] / { name = $4; num = 0; next }
        /^\[       OK \] / { tell("pass"); next }
        /^\[  SKIPPED \] .* \([0-9]+ ms\)$/ { tell("skip"); next }
        /^\[  FAILED  \] .* \([0-9]+ ms\)$/ { tell("fail"); next }
        name != "" { line[++num] = $0 }
        END { if (name != "") { line[++num] = "the program ended in this test"; tell("fail") } }'
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
    local folder=$logs/$1 source=$2 name=${2##*/} libraries=() installed
    installed=$(prefix "$1")
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

mpi_program() {
    local output
    if output=$(mpi_compile gcc "$1" 2>&1); then pass "$1"; else fail "$1 does not compile" "$output"; fi
}
step_mpi_programs() { each_of mpi_program "${mpi_sources[@]}"; }

# Open MPI itself leaves memory behind: valgrind looks for ours.
mpi_program_sanitized() {
    local output
    output=$(OMPI_CC=clang mpi_compile clang "$1" -O1 $sanitizers -fsanitize-link-c++-runtime -lstdc++ 2>&1) ||
        fail "$1 does not compile" "$output"
}

# mpi_run BUILD SOURCE RANKS: one result.
mpi_run() {
    local source=$2 ranks=$3 name program log command again
    name=${source##*/} name=${name%.c} program=$logs/$1/mpi/$name log=$program.$ranks.log
    wanted "$name on $ranks ranks" || return 0
    command=(timeout -k 5 $((patience + 20)) mpirun --timeout $patience -np "$ranks" --oversubscribe --mca mpi_yield_when_idle 1
        $(mpi_option "$source" mpirun) $(mpi_option "$source" "mpirun ${other_ompi/#main-*/6.0}") "$program")
    # Seldom mpirun errs (docs/upstream.md, 61), and hardly twice in a row.
    for again in "" "once more, since mpirun takes a process for one that did not finalize: $name on $ranks ranks"; do
        echo -n "${again:+$again$'\n'}"
        if LD_PRELOAD=$patient "${command[@]}" >"$log" 2>&1; then
            pass "$name on $ranks ranks"
            return
        fi
        grep -q "exiting improperly" "$log" || break
    done
    tail -n 30 "$log"
    fail "$name on $ranks ranks" "$(<"$log")"
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

# What scripts and labs find: test/mpi/common.sh.
script_environment() {
    export HITOPO_PREFIX HITOPO_TEST_PROGRAMS=$logs/gcc/mpi HITOPO_QUICK=$is_quick
    HITOPO_PREFIX=$(prefix gcc)
}

step_mpi_scripts() {
    script_environment
    verdicts timeout -k 5 $patience bash "$(find test/mpi profiler/test/mpi -path "*/$1.sh")"
}

step_in_tree() {
    script_environment
    verdicts timeout -k 5 $patience bash test/in-tree/run
}

# test/lab/common.sh says what a lab is. Without its packages it skips itself.
lab() {
    local status
    script_environment
    verdicts timeout -k 20 $patience "test/lab/$1/run"
    status=$?
    "test/lab/$1/down"
    return $status
}
step_lab_infiniband() { lab infiniband; }
step_lab_slurm() { lab slurm; }
step_lab_nodes() { lab nodes; }

# ---- fuzzers ----

# fuzz_one PROGRAM: those inputs that are known, and then as many new ones as its source says, without which it is
# 20000: `// runs: 2000`. New inputs go to build/check/corpus, and are kept for the next run. None takes 64 MiB at once: a
# number in a few bytes may not ask for that.
fuzz_one() {
    local name=${1##*/} seeds folder runs
    wanted "$name" || return 0
    name=${name#fuzz_} seeds=test/fuzz/corpus/$name folder=$logs/corpus/$name
    mkdir -p "$folder"
    runs=$(sed -n 's|^// runs: ||p' "test/fuzz/fuzz_$name.cc")
    runs=$((${runs:-20000} + $(find "$folder" "$seeds" -type f | wc -l)))
    if "$1" -runs=$runs -timeout=$patience -rss_limit_mb=1024 -malloc_limit_mb=64 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$folder-" "$folder" "$seeds" >"$logs/fuzz_$name.log" 2>&1; then
        pass "fuzz_$name"
    else
        tail -n 30 "$logs/fuzz_$name.log" >&2
        echo "input kept as build/check/corpus/$name-*" >>"$logs/fuzz_$name.log"
        fail "fuzz_$name" "$(<"$logs/fuzz_$name.log")"
    fi
}

step_fuzz() {
    tests_of clang "$fuzzed -O1" fuzzers || return
    each_of fuzz_one $(find "$logs/clang/test" -maxdepth 2 -name 'fuzz_*' -type f -perm -u+x)
}

# ---- Open MPI 5.0 ----

# The MPI part in a Debian that has it: its results are there, one file for each task.
step_ompi_5_0() {
    local inner=${HITOPO_CACHE:-$root/build}/ompi-5.0/debian/root/hitopo/build/check status
    [ "$(id -u)" = 0 ] || { skip "Open MPI 5.0: must be root, for chroot"; return; }
    rm -f "$inner/results"
    test/other-ompi 5.0 ./check --quick build-gcc command mpi dlopen mpi-scripts
    status=$?
    [ ! -e "$inner/results" ] || sed -E 's/^(pass|fail|skip) /&5.0: /' "$inner/results" >>"$results"
    return $status
}
