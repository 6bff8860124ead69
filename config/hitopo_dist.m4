dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_DIST
# `make dist` makes the same bytes of the same source, whoever makes it where and when: names in their order, no owner,
# modes but for who may execute, and one time: SOURCE_DATE_EPOCH or, without, the commit's, or in an unpacked tarball
# that of its files.
AC_DEFUN([HITOPO_DIST], [
    am__tar='LC_ALL=C $${TAR-tar} --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,a+rX,go-w --mtime=@$${SOURCE_DATE_EPOCH:-`{ test -e $(top_srcdir)/.git && git -C $(top_srcdir) log -1 --format=%ct; } 2>/dev/null || stat -c %Y $(top_srcdir)/configure.ac`} --dereference --file=- "$$tardir"'
    AC_SUBST([GZIP_ENV], ['--best --no-name'])
])
