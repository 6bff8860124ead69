dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_SLURM(IF-WANTED, IF-NOT)
# Slurm speaks through the environment, so component slurm needs only the wish.
AC_DEFUN([HITOPO_CHECK_SLURM], [
    AC_ARG_WITH([slurm], [AS_HELP_STRING([--without-slurm], [no component slurm])], [], [with_slurm=yes])
    AS_IF([test "$with_slurm" != no], [$1], [$2])
])
