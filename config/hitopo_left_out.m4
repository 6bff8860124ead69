dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_LEFT_OUT
# Open MPI's own configure goes on without HiTopo where HiTopo cannot be built: sets hitopo_left_out to the reason, or to
# nothing. Out of Open MPI's tree configure stops there instead (HITOPO_LANGUAGES).
AC_DEFUN([HITOPO_CHECK_LEFT_OUT], [
    hitopo_left_out=
    m4_ifdef([OPAL_SUMMARY_ADD], [
        AS_CASE([$host_os],
                [linux*], [HITOPO_CHECK_CXX17([hitopo_left_out="no C++ compiler for C++17: set CXX"])],
                [hitopo_left_out="it is for Linux alone"])
        AS_IF([test -n "$hitopo_left_out"],
              [AC_MSG_WARN([HiTopo is left out: $hitopo_left_out])
               OPAL_SUMMARY_ADD([HiTopo], [framework], [], [no ($hitopo_left_out)])])
    ])
])
