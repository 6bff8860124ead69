# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# OMPI_MPIEXT_hitopo_CONFIG([action-if-can-compile], [action-if-cant-compile])
# In Open MPI's own configure: the extension builds where the framework does.
AC_DEFUN([OMPI_MPIEXT_hitopo_CONFIG], [
    AC_CONFIG_FILES([
        ompi/mpiext/hitopo/Makefile
        ompi/mpiext/hitopo/c/Makefile
        ompi/mpiext/hitopo/mpif-h/Makefile
        ompi/mpiext/hitopo/use-mpi/Makefile
        ompi/mpiext/hitopo/use-mpi-f08/Makefile
    ])
    AS_IF([test -z "$hitopo_left_out"], [$1], [$2])
])
