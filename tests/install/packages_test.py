#!/usr/bin/env python3
"""The packages: a Debian package of the build is made, installed into a root of its own and used there by the README's
program; the vcpkg port configures the tree; the Conan recipe is read. All of one version.

Usage: packages_test.py CMAKE SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER
"""

import json
import os
import pathlib
import re
import shutil
import sys
import types

from copied_tree import require, run

# The port's functions as far as this test needs them: it configures, and says what the port did.
VCPKG = """
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B build -G Ninja -DCMAKE_CXX_COMPILER=@compiler@ ${arg_OPTIONS}
                  OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(said MATCHES "not used by the project")
    message(FATAL_ERROR "${said}")
  endif()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(SIZE ${arg_FILE_LIST} size)
endfunction()
foreach(name check_linkage cmake_install cmake_config_fixup fixup_pkgconfig)
  cmake_language(EVAL CODE "function(vcpkg_${name})\\nendfunction()")
endforeach()
set(PORT tandem)
set(CURRENT_PACKAGES_DIR packages)
include(@port@/portfile.cmake)
"""


def version_of(source):
    header = (source / "lib/include/tandem/version.h").read_text()
    return ".".join(re.findall(r"define TANDEM_VERSION_\w+ (\d+)", header))


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or path.is_file()}


def see_debian_package(cmake, source, build, compiler, work, version):
    run(cmake.removesuffix("cmake") + "cpack", "-G", "DEB", "-B", str(work / "deb"), cwd=build)
    package, *plugins = sorted((work / "deb").glob("*.deb"), key=lambda path: path.name.replace("_", " "))
    require(package.name.startswith(f"tandem_{version}_"), f"the package of {version} is called {package.name}")
    depends = run("dpkg-deb", "--field", str(package), "Depends")
    for library in ("libstdc++6", "libgomp1", "libc6"):
        require(library in depends, f"{library} is no dependency: {depends}")
    require("mpi" not in depends, f"a program of one rank needs no MPI: {depends}")
    for plugin in plugins:
        require(plugin.name.startswith(f"tandem-mpi_{version}_"), f"an unknown package: {plugin.name}")
        depends = run("dpkg-deb", "--field", str(plugin), "Depends")
        require(f"tandem (= {version})" in depends and "libopenmpi" in depends, f"the plugin for MPI depends on {depends}")
    packages = [str(path) for path in (package, *plugins)]
    run("dpkg", "--no-act", "--force-not-root", "--install", *packages)  # what they depend on is there

    root = work / "root"
    if os.geteuid() == 0:
        for folder in ("updates", "info"):
            (root / "var/lib/dpkg" / folder).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        run("dpkg", f"--root={root}", "--unpack", *packages)
        require("tandem" in run("dpkg", f"--root={root}", "--list", "tandem"), "dpkg does not know the package")
        shutil.rmtree(root / "var")
    else:
        for path in packages:
            run("dpkg-deb", "--extract", path, str(root))
    run(cmake, "--install", str(build), "--prefix", str(work / "prefix"))
    packed, installed = files_below(root / "usr"), files_below(work / "prefix")
    require(packed == installed, f"packed or installed alone: {sorted(packed ^ installed)}")

    readme = (source / "README.md").read_text()
    (work / "program.cpp").write_text(re.search(r"```cpp\n(.*?)```", readme, re.S)[1])
    here = {**os.environ, "PKG_CONFIG_LIBDIR": f"{root}/usr/lib/pkgconfig", "LD_LIBRARY_PATH": f"{root}/usr/lib",
            "CUDA_VISIBLE_DEVICES": ""}
    flags = run("pkg-config", "--cflags", "--libs", "tandem", env=here).split()
    require(any(str(root) in flag for flag in flags), f"pkg-config finds another Tandem: {flags}")
    run(compiler, str(work / "program.cpp"), "-o", str(work / "program"), *flags)
    printed = run(str(work / "program"), env=here)
    require(printed == re.search(r"```text[^\n]*\n(.*?)```", readme, re.S)[1], f"the README's program prints\n{printed}")
    said = run(f"{root}/usr/bin/tandem", "--version", env=here)
    require(version in said, f"tandem --version says {said}")
    print(f"{', '.join(pathlib.Path(path).name for path in packages)}: {package.stat().st_size >> 20} MB, {len(packed)} files")


def see_vcpkg_port(cmake, source, compiler, work, version):
    port = source / "packaging/vcpkg/tandem"
    manifest = json.loads((port / "vcpkg.json").read_text())
    require(manifest["version"] == version, f"vcpkg.json is of version {manifest['version']}, the tree of {version}")
    require(manifest["name"] == port.name, f"the port {manifest['name']} lies in {port}")
    script = work / "port.cmake"
    script.write_text(VCPKG.replace("@compiler@", compiler).replace("@port@", str(port)))
    run(cmake, "-P", str(script), cwd=work)
    built = (work / "build/build.ninja").read_text()
    require("libtandem.so" in built and "tandem_tests" not in built, "the port does not build the library alone")


def see_conan_recipe(source, version):
    """The recipe is read as Conan does, with as much of Conan as it takes."""
    def module(name, **names):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(names)

    class ConanFile:
        recipe_folder = str(source / "packaging/conan")

    copied = []
    module("conan", ConanFile=ConanFile)
    module("conan.errors", ConanInvalidConfiguration=Exception)
    module("conan.tools")
    module("conan.tools.build", check_min_cppstd=None)
    module("conan.tools.cmake", CMake=None, CMakeDeps=None, CMakeToolchain=None, cmake_layout=None)
    module("conan.tools.files", load=lambda _, name: pathlib.Path(name).read_text(),
           copy=lambda _, pattern, tree, to: copied.append(pathlib.Path(tree) / pattern))
    names = {}
    exec((source / "packaging/conan/conanfile.py").read_text(), names)  # pylint: disable=exec-used
    recipe = names["Tandem"]()
    recipe.export_sources_folder = None
    recipe.set_version()
    require(recipe.version == version, f"the recipe is of version {recipe.version}, the tree of {version}")
    recipe.export_sources()
    for pattern in copied:
        require(any(pattern.parent.glob(pattern.name)), f"{pattern} is not in the tree")


def main(cmake, source, build, compiler):
    source, build = pathlib.Path(source), pathlib.Path(build)
    work = build / "packages"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    version = version_of(source)
    heading = re.search(r"^## (\S+)", (source / "CHANGELOG.md").read_text(), re.M)[1]
    require(heading == version, f"CHANGELOG.md begins with {heading}, the tree is of {version}")
    see_conan_recipe(source, version)
    see_vcpkg_port(cmake, source, compiler, work, version)
    if shutil.which("dpkg-shlibdeps") and shutil.which("pkg-config"):
        see_debian_package(cmake, source, build, compiler, work, version)
    else:
        print("no Debian package: dpkg-dev or pkgconf is not installed")
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
