dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
dnl
dnl What Open MPI's configure does for each component that its autogen.pl found.

# HITOPO_MCA_COMPONENT(FRAMEWORK, COMPONENT)
# Calls the component's MCA_ompi_FRAMEWORK_COMPONENT_CONFIG, sets the conditional
# MCA_BUILD_ompi_FRAMEWORK_COMPONENT_DSO and adds its folder to MCA_SUBDIRS. A component that cannot
# be built sets hitopo_COMPONENT_why.
AC_DEFUN([HITOPO_MCA_COMPONENT], [
    AC_REQUIRE([_HITOPO_MCA_NO_BUILD])
    AC_MSG_NOTICE([component $1:$2])
    hitopo_$2_why="its requirements are not met (see config.log)"
    MCA_ompi_$1_$2_CONFIG([hitopo_build=yes], [hitopo_build=no])
    AS_CASE([",$enable_mca_no_build,"],
            [*,$2,* | *,$1-$2,*], [hitopo_build=no
                                   hitopo_$2_why="--enable-mca-no-build"])
    AS_IF([test $hitopo_build = yes], [MCA_SUBDIRS="$MCA_SUBDIRS ompi/mca/$1/$2"])
    AC_SUBST([MCA_SUBDIRS])
    AM_CONDITIONAL([MCA_BUILD_ompi_$1_$2_DSO], [test $hitopo_build = yes])
    HITOPO_SUMMARY_ADD([component $1:$2], [$hitopo_build], [$hitopo_$2_why])
])

AC_DEFUN([_HITOPO_MCA_NO_BUILD], [
    AC_ARG_ENABLE([mca-no-build],
                  [AS_HELP_STRING([--enable-mca-no-build=LIST],
                                  [comma-separated components not to build: slurm,hwloc @<:@none@:>@])])
])
