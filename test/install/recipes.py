#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Runs the recipes for Spack and EasyBuild with stand-ins for what these two give a recipe.

    recipes.py SOURCE spack [+VARIANT|~VARIANT]...    configure's arguments, a line each
    recipes.py SOURCE spack-openmpi                   those that the recipe for Open MPI adds to
    recipes.py SOURCE easybuild                       configure's; and what must be there: lines `file PATH`, `folder PATH`
    recipes.py SOURCE names                           dependencies: `spack NAME` and `easybuild NAME` lines
"""
import pathlib
import sys
import types


class Prefix(str):
    """A folder whose members are folders: prefix.include.openmpi."""

    def __getattr__(self, name):
        return Prefix(f"{self}/{name}")


class Spec:
    def __init__(self, variants, name="hitopo"):
        self.variants = variants
        self.prefix = Prefix(f"/{name}")

    def __getitem__(self, name):
        return Spec(self.variants, name)

    def satisfies(self, word):
        """Of `+name` and `~name` alone; versions are nobody's here."""
        if word[0] == "@":
            return False
        return (word[1:] in self.variants) == (word[0] == "+")


class AutotoolsPackage:
    pass


def spack_package(source, variants):
    """The class Hitopo, what it depends on, and its variants with their defaults."""
    dependencies, known = [], {}

    def variant(name, default, description, when=None):
        assert description and (when is None or when[1:] in known), name
        known[name] = default

    def depends_on(spec, type=None, when=None):
        assert when is None or (when[0] == "+" and when[1:] in known), when
        dependencies.append(spec)

    package = types.ModuleType("spack.package")
    package.__dict__.update(
        AutotoolsPackage=AutotoolsPackage, variant=variant, depends_on=depends_on, Executable=None,
        license=lambda name: None, version=lambda name: None, run_after=lambda phase: lambda function: function,
        install_tree=None)
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    recipe = source / "contrib/spack/packages/hitopo/package.py"
    names = {}
    exec(compile(recipe.read_text(encoding="utf-8"), recipe, "exec"), names)
    hitopo = names["Hitopo"]()
    chosen = {name for name, default in known.items() if default}
    for word in variants:
        assert word[1:] in known, f"no variant {word}"
        (chosen.add if word[0] == "+" else chosen.discard)(word[1:])
    hitopo.spec = Spec(chosen)
    hitopo.prefix = Prefix("/hitopo")
    return hitopo, dependencies


def spack_openmpi_arguments(source):
    """What the recipe for Open MPI adds to Spack's own."""
    builtin = types.ModuleType("spack_repo.builtin.packages.openmpi.package")
    builtin.Openmpi = type("Openmpi", (), {"configure_args": lambda self: ["--builtin"], "__doc__": "Open MPI"})
    names = builtin.__name__.split(".")
    for end in range(1, len(names)):
        sys.modules[".".join(names[:end])] = types.ModuleType(".".join(names[:end]))
    sys.modules[builtin.__name__] = builtin
    recipe = source / "contrib/spack/packages/openmpi/package.py"
    defined = {}
    exec(compile(recipe.read_text(encoding="utf-8"), recipe, "exec"), defined)
    return defined["Openmpi"]().configure_args()


def environment_of(package):
    class Environment(dict):
        def set(self, name, value):
            self[name] = value

    environment = Environment()
    package.setup_run_environment(environment)
    return environment


def easyconfig(source):
    (recipe,) = (source / "contrib/easybuild").glob("*.eb")
    names = {"SOURCELOWER_TAR_GZ": "%(namelower)s-%(version)s.tar.gz", "SHLIB_EXT": "so"}
    exec(compile(recipe.read_text(encoding="utf-8"), recipe, "exec"), names)
    toolchain = names["toolchain"]
    assert recipe.name == "{}-{}-{}-{}.eb".format(
        names["name"], names["version"], toolchain["name"], toolchain["version"]), "EasyBuild finds it by its name"
    return names


def main():
    source, what = pathlib.Path(sys.argv[1]), sys.argv[2]
    if what == "spack":
        package, _ = spack_package(source, sys.argv[3:])
        print(*package.configure_args(), sep="\n")
        print(*(f"set {name} {value}" for name, value in environment_of(package).items()), sep="\n")
    elif what == "spack-openmpi":
        spack_package(source, [])
        print(*spack_openmpi_arguments(source), sep="\n")
    elif what == "easybuild":
        names = easyconfig(source)
        print(*names["configopts"].split(), sep="\n")
        print(*(f"file {name}" for name in names["sanity_check_paths"]["files"]), sep="\n")
        print(*(f"folder {name}" for name in names["sanity_check_paths"]["dirs"]), sep="\n")
    else:
        print(*(f"spack {name.split('@')[0].split()[0]}" for name in spack_package(source, [])[1]), sep="\n")
        config = easyconfig(source)
        print(*(f"easybuild {name}" for name, _ in config["builddependencies"] + config["dependencies"]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
