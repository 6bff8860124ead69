#!/bin/sh
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Makes ./configure from configure.ac; needs autoconf, automake and libtool.
set -e
cd "$(dirname "$0")"
# A configure without its Makefile.in would look made.
autoreconf --install --force "$@" || { rm -f configure; exit 1; }
