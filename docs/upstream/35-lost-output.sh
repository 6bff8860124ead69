#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Anywhere with mpirun 5.0.7, on a busy machine: docs/upstream/35-lost-output.sh
# Some of 60 jobs that fail lack the line that rank 0 printed, and some end with 1 and not 2.
program=$(mktemp)
trap 'rm "$program"' EXIT
printf '#!/bin/sh\n[ $OMPI_COMM_WORLD_RANK != 0 ] || echo message >&2\nexit 2\n' >"$program"
chmod +x "$program"
for i in $(seq 60); do
    out=$(mpirun -np 3 --oversubscribe "$program" 2>&1)
    echo "exit code $?, messages: $(grep -c '^message' <<<"$out")"
done | sort | uniq -c
