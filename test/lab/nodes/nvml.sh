# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: component nvml on the nodes of slingshot.cluster, each with its own answers of a stand-in of NVML. Ranks 0 to 4
# (n0, n1, n2) are in one NVLink domain, of which n2 is a clique of its own, ranks 5 to 7 (n3) in another; n4 has no GPU.
nvml() {
    local options=(--mca hitopo_nvml_library "$lab/fake_nvml.so") patience=(--mca hitopo_nvml_timeout_ms 20000)
    gcc -shared -fPIC -I"$source_root" "$source_root/test/nvml/fake_nvml.c" -o "$lab/fake_nvml.so" || return
    cat >"$lab/with_gpus" <<'END'
#!/bin/bash
case $(hostname) in
n0 | n1) export FAKE_NVML='3,0,0,161 3,0,0,161' ;;
n2) export FAKE_NVML='3,0,1,161 3,0,1,161' ;;
n3) export FAKE_NVML='3,0,0,162 2,0,0,0' ;;
esac
exec "$@"
END
    chmod +x "$lab/with_gpus"
    on_nodes core "${options[@]}" "${patience[@]}" "$lab/with_gpus" "$sizes" nvlink://Domain nvlink://Clique hitopo://Switch unguided
    expect "nvml: domains cross nodes, and nothing else changes" said "nvlink://Domain: 5 5 5 5 5 3 3 3 0
nvlink://Clique: 4 4 4 4 1 3 3 3 0
hitopo://Switch: 4 4 4 4 1 4 4 4 4
unguided: 4 4 4 4 5 5 5 5 5"
    on_nodes core "${options[@]}" "${patience[@]}" "$lab/with_gpus" hitopo show --why
    expect "nvml: the reason counts GPUs" printed \
        "1 of 2 GPUs in NVLink fabric a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2, clique 0"
    expect "nvml: a node without" printed "no GPU"
    on_nodes core "${options[@]}" -x FAKE_NVML_FAIL=hang --mca hitopo_nvml_timeout_ms 300 \
        "$lab/with_gpus" "$sizes" nvlink://Domain hitopo://Node
    expect "nvml: a driver that hangs costs its types only" said "nvlink://Domain: 0 0 0 0 0 0 0 0 0
hitopo://Node: 2 2 2 2 1 3 3 3 1"
}
