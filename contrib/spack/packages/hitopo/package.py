# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
from spack.package import *

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass  # before Spack 1.0 it came with spack.package


class Hitopo(AutotoolsPackage):
    """Hierarchical addresses of MPI processes for Open MPI: cluster, island, switch, node, socket, core."""

    license("BSD-3-Clause")

    # Name your clone: spack develop --path DIR hitopo@main, or put the tarball of `make dist` into a mirror.
    version("main")
    version("0.2.0")

    variant("slurm", default=True, description="places from Slurm")
    variant("slurm_library", default=False, description="asks slurmctld where Slurm's variables are missing", when="+slurm")
    variant("infiniband", default=True, description="switches and islands of an InfiniBand fabric")
    variant("command", default=True, description="the command hitopo")
    variant("profiler", default=True, description="the profiler, hitopo report and hitopo order")
    variant("fortran", default=True, description="Fortran modules")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    for tool in ("autoconf", "automake", "libtool", "pkgconfig"):
        depends_on(tool, type="build")
    depends_on("nlohmann-json", type="build")

    # Its own hwloc and PMIx would be others than ours. The recipe beside this one installs its internal headers.
    depends_on("openmpi@4.1:6 ~internal-hwloc~internal-pmix")
    depends_on("hwloc@2:")
    depends_on("pmix")
    depends_on("yaml-cpp")
    depends_on("rdma-core", when="+infiniband")
    depends_on("slurm@20.11:", when="+slurm_library")
    depends_on("fmt", when="+command")
    depends_on("cli11", type="build", when="+command")

    def autoreconf(self, spec, prefix):
        Executable("./autogen.sh")()

    def configure_args(self):
        spec = self.spec
        args = [
            "--with-ompi={0}".format(spec["openmpi"].prefix),
            "--with-hwloc={0}".format(spec["hwloc"].prefix),
            "--with-pmix={0}".format(spec["pmix"].prefix),
            "--with-yaml-cpp={0}".format(spec["yaml-cpp"].prefix),
        ]
        if spec.satisfies("+slurm_library"):
            args.append("--with-slurm={0}".format(spec["slurm"].prefix))
        elif spec.satisfies("~slurm"):
            args.append("--without-slurm")
        if spec.satisfies("+infiniband"):
            args.append("--with-ibverbs={0}".format(spec["rdma-core"].prefix))
            args.append("--with-ibumad={0}".format(spec["rdma-core"].prefix))
        else:
            args += ["--without-ibumad", "--without-ibverbs", "--enable-mca-no-build=openib"]
        if spec.satisfies("~profiler"):
            args.append("--disable-profiler")
        if spec.satisfies("~fortran"):
            args.append("--disable-fortran")
        return args

    # Nothing is preloaded: mpirun --tune $HITOPO_ROOT/share/hitopo/hitopo.conf does that for a job.
    def setup_run_environment(self, env):
        env.set("HITOPO_ROOT", self.prefix)
