#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The component of CONTRIBUTING.md: its text is done in a copy of the source, and what it shows comes out.
. "$(dirname "$0")/../mpi/common.sh"
[ -z "$in_tree" ] || { echo "ok - component # SKIP it is added to HiTopo out of the tree"; exit; }
built=${HITOPO_PREFIX%/install}
source=$scratch/source
build=$scratch/build
folder=ompi/mca/hitopo/rackfile

# block N LANGUAGE: the block of code in LANGUAGE below heading N of the text.
block() {
    sed -n "/^### $1\\. /,/^### /p" "$source_root/CONTRIBUTING.md" | sed -n "/^\`\`\`${2-}\$/,/^\`\`\`\$/{/^\`\`\`/!p}"
}

has_line() { [ "$status" = 0 ] && grep -qE -- "$1" <<<"$out"; }

mkdir -p "$source" "$build"
tar -C "$source_root" --exclude=./build --exclude=./.git -c . | tar -C "$source" -x
tar -C "$built" --exclude=./install --exclude=./mpi --exclude=./test --exclude=./bench -c . | tar -C "$build" -x

cd "$source" || exit 1
mkdir -p $folder test/rackfile
block 1 c >$folder/hitopo_rackfile.h
block 2 cpp >$folder/hitopo_rackfile.cc
block 3 c >$folder/hitopo_rackfile_component.c
(eval "$(block 4 sh)")
block 5 cpp >test/rackfile/rackfile_test.cc
sed -i "/hostname.configure/a $(block 4 m4 | grep '^m4_include')
    /hitopo.*hostname\])/a $(block 4 m4 | grep '^HITOPO_MCA')" configure.ac
sed -i 's|^    ompi/mca/hitopo/hostname/libhitopo_hostname.la .*|&\n    ompi/mca/hitopo/rackfile/libhitopo_rackfile.la \\|
    s|^    test/hostname/hostname_test.cc .*|&\n    test/rackfile/rackfile_test.cc \\|' test/Makefile.am

table=$(block 6 md) entry=$(block 6 man)
awk -v row="$table" '{ print } /^\| `cpuid` \|/ { print row }' docs/levels.md >"$scratch/levels" && cp "$scratch/levels" docs/levels.md
printf '%s\n' "$entry" >>docs/man/hitopo.1

capture true
expect "the text has six files" test "$(find $folder -type f -size +0 | wc -l)" = 6
expect "the text has two lines for configure.ac" test "$(grep -c rackfile configure.ac)" = 2
git init -q . && git add -A
capture test/rings
expect "the rules of test/rings" succeeded
if command -v clang-format >"$scratch/which"; then
    capture clang-format --style=file --dry-run -Werror $folder/*.cc test/rackfile/*.cc
    expect "C++ is formatted" succeeded
    capture clang-format --style=file:config/clang-format-c --dry-run -Werror $folder/*.[ch]
    expect "C is formatted" succeeded
fi
capture ./autogen.sh
expect "autogen.sh" succeeded
cd "$build" || exit 1
capture eval "$source/configure -q $(./config.status --config)"
expect "configure" succeeded
capture make -s -j"$(nproc)" -C $folder
expect "the component builds" succeeded
# The others' tests are left out: they take minutes to compile.
capture make -s test/components_test test_components_test_OBJECTS=test/rackfile/components_test-rackfile_test.o
expect "its test builds" succeeded
capture test/components_test
expect "its test passes" printed '[  PASSED  ] 3 tests'

echo rack7 >"$scratch/rack"
run -np 2 --mca hitopo_rackfile_path "$scratch/rack" "$with_components" "$build/$folder/.libs" hitopo show
expect "hitopo show has the switch" has_line '^from .* rackfile '
expect "hitopo show has its name" has_line '^ *0 .* 0 rack7 '
run -np 2 "$with_components" "$build/$folder/.libs" hitopo info
expect "hitopo info has the component" has_line '^  rackfile +[0-9.]+ +25  switch$'
