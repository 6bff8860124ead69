# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_slurm_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component slurm needs nothing but the wish (--without-slurm).
AC_DEFUN([MCA_ompi_hitopo_slurm_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/slurm/Makefile])
    HITOPO_CHECK_SLURM([$1],
                       [hitopo_slurm_why="--without-slurm"
                        $2])
])
