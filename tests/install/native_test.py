#!/usr/bin/env python3
"""CMAKE_CUDA_ARCHITECTURES=native, as make compare says on a machine with a GPU: the steps for one architecture are compiled where
CMake finds that GPU, and where it finds none the reason is said. The GPU is CMake's word for it; nothing is compiled.

Usage: native_test.py CMAKE SOURCE_DIRECTORY
"""

import pathlib
import subprocess
import sys
import tempfile

FOUND = """macro(enable_language)
  _enable_language(${ARGV})
  if("${ARGV0}" STREQUAL CUDA)
    set(CMAKE_CUDA_ARCHITECTURES_NATIVE %s)
  endif()
endmacro()
"""


def configure(cmake, source, folder, architecture):
    """The exit status, what was said, and what was left out."""
    found = pathlib.Path(folder, "found.cmake")
    found.write_text(FOUND % architecture)
    build = pathlib.Path(folder, f"build{architecture}")
    done = subprocess.run([cmake, "--preset", "device", "-B", build, "-DCMAKE_CUDA_ARCHITECTURES=native", "-DTANDEM_SIMT=OFF",
                           "-DTANDEM_TESTS=OFF", f"-DCMAKE_PROJECT_INCLUDE_BEFORE={found}"], cwd=source, capture_output=True, text=True)
    left_out = build / "left_out.cpp"
    return done.returncode, done.stdout + done.stderr, left_out.read_text() if left_out.exists() else ""


def main():
    cmake, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        status, said, left_out = configure(cmake, source, folder, "90-real")
        assert status == 0, said
        assert ".sm90.cu" not in left_out, left_out
        status, said, left_out = configure(cmake, source, folder, "80-real")
        assert status == 0, said
        assert "needs sm_90 (this build is for 80-real)" in left_out, left_out
        status, said, _ = configure(cmake, source, folder, "")
        assert status != 0 and "no GPU answers here" in " ".join(said.split()), said
    print("3 cases executed")


main()
