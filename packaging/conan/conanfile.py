"""The tree that this recipe lies in, as a Conan package: conan create packaging/conan -s compiler.cppstd=20 --build=missing"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Tandem(ConanFile):
    name = "tandem"
    description = "GPU operations twice, as a library call and as hand-written kernels, behind one C++20 interface"
    license = "MIT"
    settings = "os", "compiler", "build_type", "arch"
    package_type = "shared-library"
    default_options = {"fmt/*:header_only": True}

    def _tree(self):
        return os.path.abspath(os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        header = load(self, os.path.join(self._tree(), "lib", "include", "tandem", "version.h"))
        self.version = ".".join(re.findall(r"define TANDEM_VERSION_\w+ (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "lib/*", "custom_kernels/*", "vendor_wrappers/*"):
            copy(self, pattern, self._tree(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("fmt/[>=9 <13]", visible=False)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("tandem needs Linux")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("SIMT", "COMMAND", "TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"TANDEM_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["tandem"]
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Tandem")]
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package's own TandemConfig.cmake
        self.cpp_info.set_property("pkg_config_name", "tandem")
