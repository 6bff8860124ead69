#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Component oci: jobs that ask a small HTTP server on the loopback interface by the real curl. The server checks the
# header that Oracle's service wants, and answers as the path says (oci_server.py).
. "$(dirname "$0")/../common.sh"
if ! command -v curl >/dev/null; then
    echo "skip oci: no curl (package curl)"
    exit 0
fi
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
python3 "$(dirname "$0")/oci_server.py" "$source_root/test/fixtures/oci/place.json" "$scratch/port" &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
for ((i = 0; i < 600; ++i)); do
    [ ! -s "$scratch/port" ] || break
    sleep 0.1
done
base=http://127.0.0.1:$(cat "$scratch/port")

# why PATH [MILLISECONDS]: a job that asks for that path, and waits so long.
why() {
    run -np 2 --mca hitopo oci,hwloc --mca hitopo_oci_url "$base/$1" --mca hitopo_oci_timeout_ms "${2-20000}" "$HITOPO_PREFIX/bin/hitopo" show --why
}
# Whatever was answered, the job has its table, and no other message.
is_silent() { [ "$status" = 0 ] && grep -qF "$1" <<<"$out" && ! grep -q "^HiTopo's component" <<<"$out"; }

why place
expect "a place" printed "local block ocid1.computelocalblock.oc1.iad.anuwcljrnifhggqcaaaaleaf0001"
expect "a place: nothing is said" is_silent "HPC island ocid1.hpcisland.oc1.iad.anuwcljrnifhggqcaaaaisland7"
preloaded -np 2 --mca hitopo oci,hwloc --mca hitopo_oci_url "$base/place" --mca hitopo_oci_timeout_ms 20000 "$sizes" \
    hitopo://Switch oci://GpuMemoryFabric
expect "a place: splits" test "$out" = "hitopo://Switch: 2 2"$'\n'"oci://GpuMemoryFabric: 2 2"

run -np 2 --mca hitopo oci,hwloc "$HITOPO_PREFIX/bin/hitopo" show --why
expect "no URL: nobody is asked" is_silent "hitopo_oci_url is not set"
why missing
expect "404" is_silent "HTTP status 404"
why redirect
expect "a redirection is not followed" is_silent "HTTP status 302"
why silence 300
expect "a server that does not answer" is_silent "300 m"
why drip 300
expect "a server that answers a byte at a time" is_silent "300 m"
why cut
expect "a connection that ends too early" is_silent "curl: ("
for path in garbage types empty; do
    why $path
    expect "$path: one message" printed_once "HiTopo's component oci could not use"
done
why huge
expect "16 MB: one message" printed_once "HiTopo's component oci got a value over its limit"
why hostile
expect "a hostile answer: one message" printed_once "HiTopo's component oci could not use"
expect "a hostile answer: a terminal obeys nothing of it" test "$out" = "${out//$'\e'/}"
http_proxy=$base/proxy why place
expect "no proxy is asked" is_silent "local block"
base=http://127.0.0.1:1
why place
expect "nobody listens" is_silent "curl: (7)"
base=file://$source_root/test/fixtures/oci
why place.json
expect "another kind of URL: one message" printed_once "HiTopo's component oci could not use"
