# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Spack's Open MPI, with the internal headers that HiTopo is built with; from 5.0 on, `make install` leaves one folder of
# them out.
import os

from spack.package import *

try:
    from spack_repo.builtin.packages.openmpi.package import Openmpi as BuiltinOpenmpi
except ImportError:
    from spack.pkg.builtin.openmpi import Openmpi as BuiltinOpenmpi  # before Spack 1.0


class Openmpi(BuiltinOpenmpi):
    __doc__ = BuiltinOpenmpi.__doc__

    def configure_args(self):
        return super().configure_args() + ["--with-devel-headers"]

    @run_after("install")
    def install_missing_headers(self):
        folder = os.path.join("opal", "mca", "threads", "pthreads")
        installed = os.path.join(self.prefix.include, "openmpi", folder)
        if self.spec.satisfies("@5:") and not os.path.isdir(installed):
            install_tree(os.path.join(self.stage.source_path, folder), installed)
