# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_CONFIG(project_name, framework_name)
# In Open MPI's own configure (contrib/into-openmpi; out of its tree, configure.ac does this). The only C++ there is
# ours, so its flags are for all makefiles. The C compiler links libmpi, and does not know libstdc++.
AC_DEFUN([MCA_ompi_hitopo_CONFIG], [
    AC_REQUIRE([HITOPO_CHECK_LEFT_OUT])
    AM_CONDITIONAL([HITOPO_IS_LEFT_OUT], [test -n "$hitopo_left_out"])
    HITOPO_CHECK_NLOHMANN_JSON
    HITOPO_CHECK_COMMAND
    AM_CONDITIONAL([HITOPO_WANT_PROFILER], [true])
    AM_CONDITIONAL([HITOPO_PROFILER_ALONE], [false])
    AC_SUBST([AM_CXXFLAGS], ['-std=c++17 -ffunction-sections -fvisibility=hidden'])
    AC_SUBST([HITOPO_LDFLAGS], ['-Wl,--version-script=$(top_srcdir)/ompi/mca/hitopo/in-tree.map'])
    # From 6.1 on, what programs do not call lies in libopen_mpi, below libmpi.
    AS_IF([test -f "$srcdir/config/ompi_check_layering.sh"],
          [HITOPO_LIBRARY=libopen_mpi],
          [HITOPO_LIBRARY=lib$OMPI_LIBMPI_NAME])
    AC_SUBST([HITOPO_LIBRARY])
    AC_SUBST([HITOPO_TOOL_LIBS],
             ['$(top_builddir)/ompi/lib$(OMPI_LIBMPI_NAME).la $(top_builddir)/ompi/$(HITOPO_LIBRARY).la'])
    AS_IF([test -z "$hitopo_left_out"],
          [hitopo_may_succeed=1
           OMPI_LIBMPI_EXTRA_LDFLAGS="$OMPI_LIBMPI_EXTRA_LDFLAGS $HITOPO_LDFLAGS -lstdc++"],
          [hitopo_may_succeed=0])
    PMIX_CFLAGS=$opal_pmix_CPPFLAGS
    MCA_CONFIGURE_FRAMEWORK($1, $2, [$hitopo_may_succeed])
])
