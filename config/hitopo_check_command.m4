dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_COMMAND
# {fmt}, CLI11 and nlohmann_json are what the command hitopo needs beside the library; sets FMT_CFLAGS, FMT_LIBS,
# CLI11_CFLAGS and the conditional HITOPO_WANT_COMMAND.
AC_DEFUN([HITOPO_CHECK_COMMAND], [
    hitopo_command=$hitopo_json
    AC_LANG_PUSH([C++])
    PKG_CHECK_MODULES([FMT], [fmt], [],
                      [AC_CHECK_HEADER([fmt/format.h], [AC_SUBST([FMT_LIBS], [-lfmt])], [hitopo_command=no])])
    PKG_CHECK_MODULES([CLI11], [CLI11], [], [AC_CHECK_HEADER([CLI/App.hpp], [], [hitopo_command=no])])
    AC_LANG_POP([C++])
    HITOPO_CHECK_YAML_CPP
    AS_IF([test $hitopo_command = yes],
          [AC_CONFIG_FILES([ompi/tools/hitopo/Makefile])
           MCA_SUBDIRS="$MCA_SUBDIRS ompi/tools/hitopo"])
    AM_CONDITIONAL([HITOPO_WANT_COMMAND], [test $hitopo_command = yes])
    HITOPO_SUMMARY_ADD([command hitopo], [$hitopo_command],
                       [no {fmt}, CLI11 or nlohmann_json (Debian: libfmt-dev libcli11-dev nlohmann-json3-dev)])
])
