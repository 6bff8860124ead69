dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_BENCHMARK
# Sets BENCHMARK_CFLAGS and BENCHMARK_LIBS, and the conditional HITOPO_HAVE_BENCHMARK: benchmarks are
# made only where Google Benchmark is.
AC_DEFUN([HITOPO_CHECK_BENCHMARK], [
    PKG_CHECK_MODULES([BENCHMARK], [benchmark >= 1.7], [hitopo_benchmark=yes], [hitopo_benchmark=no])
    AM_CONDITIONAL([HITOPO_HAVE_BENCHMARK], [test "$hitopo_benchmark" = yes])
    HITOPO_SUMMARY_ADD([benchmarks], [$hitopo_benchmark],
                       [no Google Benchmark 1.7 (Debian: libbenchmark-dev)])
])
