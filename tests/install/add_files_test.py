#!/usr/bin/env python3
"""New files are all that an operation or a kernel needs, and no file is edited. Those of tests/install/skeleton/, put
into a copy of the tree, are listed, checked, timed, traced, run on files, tested, and called by a program that
includes <tandem/tandem.h>. A new step of reduce is listed, checked and timed, and a wrong one is refused; a step that
tools/new_step.py starts computes what its neighbour does. docs/walk.md is gone through.

Usage: add_files_test.py CMAKE SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER
"""

import array
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from code_blocks import blocks_of, run_shell  # noqa: E402
from copied_tree import contents, copy, files_of_git, require, rows, run  # noqa: E402

OPERATION = "/reverse/"
NAMES = {"reverse/custom/serial": "host", "reverse/custom/naive": "device",
         "reverse/custom/naive@simt": "simt", "reverse/vendor/std_reverse": "host"}
# Tests that walk all operations, and the new operation's own. The others are about one operation each, and
# compiling them, the planted kernels and the other command lines would take longer than all the rest.
TESTS = ("reverse", "equivalence", "registry")
FILTERS = ("--test-suite=reverse", "--test-suite=equivalence", "--test-case=as many entries as files*")

PROGRAM = """#include <tandem/tandem.h>

int main() {
  tandem::Context ctx = tandem::Context::host();
  const std::vector<float> values{1, 2, 3};
  tandem::Array<float> x(ctx, values), y(ctx, x.size());
  tandem::reverse(ctx, x, y);
  return y.to_vector() == std::vector<float>{3, 2, 1} ? 0 : 1;
}
"""


RIGHT = """// Idea:    two accumulators, one for each half.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void extra(const typename C::Args& a, Context&) {
  auto low = C::Op::template identity<typename C::Acc>(), high = low;
  for (std::int64_t i = 0; i < a.n / 2; ++i) low = typename C::Op{}(low, C::load(a.in[i]));
  for (std::int64_t i = a.n / 2; i < a.n; ++i) high = typename C::Op{}(high, C::load(a.in[i]));
  *a.out = typename C::Op{}(low, high);
}

REGISTER(Reduce, extra, .note = "two halves")

}  // namespace
}  // namespace tandem
"""
WRONG = RIGHT.replace("i < a.n; ++i", "i < a.n - 1; ++i").replace("extra", "extra_wrong")


def needed(name):
    """False for files whose compilation says nothing about a new operation."""
    if name.startswith("tests/wrong/") or (name.startswith("bench/command/run/") and name.endswith(".cpp")):
        return False
    return not name.endswith("_test.cpp") or any(name.endswith(f"/{suite}_test.cpp") for suite in TESTS)


def write_vector(file, values):
    """int32 elements as a .npy file of version 1.0."""
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(file, "wb") as stream:
        stream.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        stream.write(array.array("i", values).tobytes())


def read_vector(file):
    with open(file, "rb") as stream:
        content = stream.read()
    return array.array("i", content[10 + int.from_bytes(content[8:10], "little"):]).tolist()


def see_page(tandem, tree, work):
    """A page of the new kernel, and one line of error where its source is gone."""
    page, kernel = os.path.join(work, "page.html"), os.path.join(tree, "custom_kernels", "reverse", "01_naive.cu")
    run(tandem, "trace", "reverse/custom/naive", "--html", page)
    with open(page) as stream:
        require("out[i] = in[n - 1 - i]" in stream.read(), "the page does not show the kernel")
    os.remove(page)
    os.rename(kernel, kernel + ".away")
    refused = run(tandem, "trace", "reverse/custom/naive", "--html", page, status=2)
    os.rename(kernel + ".away", kernel)
    require("01_naive.cu: cannot be read; --html shows the sources" in refused and len(refused.strip().splitlines()) == 1, refused)
    require(not os.path.exists(page), "a page without a source is written")


def see_command(tandem, work):
    listed = {row["implementation"]: row for row in json.loads(run(tandem, "list", "reverse", "--json"))}
    require({name: row["place"] for name, row in listed.items()} == NAMES, f"list reverse shows {listed}")
    for name, place in NAMES.items():
        require(listed[name]["available"] == (place != "device"), f"{name}: {listed[name]}")
    require(listed["reverse/custom/naive"]["note"] == "one thread per element", "a note is not shown")
    require("reverse" in run(tandem, "run", "--help"), "run --help does not know the operation")

    checked = run(tandem, "check", "reverse")
    require("reverse/custom/naive@simt" in checked, f"check does not show the executor's row:\n{checked}")

    file = os.path.join(work, "compare.json")
    run(tandem, "compare", "reverse", "--n", "64K", "--json", file)
    with open(file) as stream:
        compared = {row["implementation"]: row for row in rows(json.load(stream))}
    for name in ("reverse/custom/serial", "reverse/vendor/std_reverse"):
        row = compared.get(name)
        require(row and row["correct"] and row["time_ns"] > 0, f"{name} is not timed: {row}")
    require(compared["reverse/custom/serial"]["vs_vendor"] > 0, "the ratio to the vendor is missing")
    on_executor = compared.get("reverse/custom/naive@simt")
    require(on_executor and on_executor["correct"] and on_executor["time_ns"] is None,
            f"on the executor: {on_executor}")

    traced = run(tandem, "trace", "reverse/custom/naive", "--n", "1K")
    require("reverse_naive" in traced and "out[i] = in[n - 1 - i]" in traced,
            f"the trace shows no line of the kernel:\n{traced}")

    given, result = os.path.join(work, "in.npy"), os.path.join(work, "out.npy")
    write_vector(given, range(1000))
    for use in ("", "naive@simt"):
        run(tandem, "run", "reverse", "--in", given, "--out", result, *(("--use", use) if use else ()))
        require(read_vector(result) == list(range(999, -1, -1)), f"run wrote another array, use '{use}'")
    return file


def see_table(tree, compared):
    """The generated tables stand between the markers of the new pages."""
    shutil.copy(compared, os.path.join(tree, "bench", "results", "here-reverse.json"))
    run(sys.executable, os.path.join(tree, "tools", "report.py"))
    with open(os.path.join(tree, "custom_kernels", "reverse", "README.md")) as stream:
        text = stream.read()
    require("| reverse/custom/serial |" in text, f"tools/report.py wrote no table:\n{text}")
    run(sys.executable, os.path.join(tree, "tools", "operations.py"))
    with open(os.path.join(tree, "docs", "operations", "reverse.md")) as stream:
        text = stream.read()
    for part in ("Elements: f32, i32.", "| custom/naive | GPU, executor | one thread per element |", "| f32 | 64K |"):
        require(part in text, f"tools/operations.py wrote no '{part}':\n{text}")


def see_kernel(cmake, tree, out, work):
    """New steps of reduce: a right one, a wrong one, and one that new_step.py starts from its neighbour."""
    for name, text in (("90_extra.cpp", RIGHT), ("91_extra_wrong.cpp", WRONG)):
        with open(os.path.join(tree, "custom_kernels", "reduce", name), "w") as file:
            file.write(text)
    started = run(sys.executable, os.path.join(tree, "tools", "new_step.py"), "reduce", "mine", "serial")
    require("custom_kernels/reduce/92_mine.cpp" in started, f"the new step is not named:\n{started}")
    for arguments, word in ((["reduce", "mine"], "exists already"), (["reduc", "x"], "known: "), (["reduce", "X y"], "lower case")):
        refused = run(sys.executable, os.path.join(tree, "tools", "new_step.py"), *arguments, status=1)
        require(word in refused, f"new_step.py {arguments} says:\n{refused}")
    see_neighbours(tree)
    run(cmake, "-S", tree, "-B", out, f"-DTANDEM_ONLY={OPERATION}|reduce/(00_serial|90_extra|91_extra_wrong|92_mine)")
    run(cmake, "--build", out, "--target", "tandem_command")
    tandem = os.path.join(out, "tandem")
    listed = {row["implementation"]: row for row in json.loads(run(tandem, "list", "--json"))}
    for name in ("reduce/custom/extra", "reduce/custom/extra_wrong"):
        require(name in listed and listed[name]["available"], f"{name} is not listed as available: {listed.get(name)}")
    require(listed["reduce/custom/extra"]["note"] == "two halves", "the note is not shown")
    require(not any("/wrong/" in name for name in listed), "planted kernels are listed")

    checked = run(tandem, "check", "reduce", status=1)
    require("extra_wrong" in checked, f"check does not name the wrong step:\n{checked}")
    run(tandem, "check", "reduce/custom/extra_wrong", status=1)
    for name in ("serial", "mine"):
        run(tandem, "check", f"reduce/custom/{name}")
    again = checked[checked.index("again: tandem check") + len("again: tandem "):].split("\n")[0].split()
    require("1 cases executed, 1 wrong" in run(tandem, *again, status=1), f"{again} does not check the wrong case again")

    file = os.path.join(work, "compare.json")
    # A wrong row makes the exit status 1.
    run(tandem, "compare", "reduce", "--n", "64K", "--json", file, status=1)
    with open(file) as stream:
        compared = {row["implementation"]: row for row in rows(json.load(stream))}
    right, wrong = compared.get("reduce/custom/extra"), compared.get("reduce/custom/extra_wrong")
    require(right and right["correct"] is True and right["time_ns"] > 0, f"the right step is not timed: {right}")
    require(wrong and wrong["correct"] is False and wrong["time_ns"] is None, f"the wrong step is timed: {wrong}")
    print("the new step is listed, checked and timed; the wrong one is refused and has no time")


def see_neighbours(tree):
    """Every ladder has a step to start from when none is named: a kernel for any GPU and the executor, which is said."""
    ladders = pathlib.Path(tree, "custom_kernels")
    for operation in sorted(path.name for path in ladders.iterdir() if path.is_dir()):
        said = run(sys.executable, os.path.join(tree, "tools", "new_step.py"), operation, "from_nobody")
        started = pathlib.Path(tree, said.split(":")[0])
        neighbour = re.search(r": as (\w+); next: .*\nwhich is a simple kernel; from another step: FROM=", said)[1]
        [source] = ladders.glob(f"{operation}/[0-9][0-9]_{neighbour}.cu")
        require(started.suffixes == [".cu"], f"{started} is not for every GPU")
        require("from_nobody" in started.read_text() and "Idea:" in started.read_text(), f"{started} is no step of its own")
        require(len(source.read_text().splitlines()) < 100, f"{source} is no simple step")
        started.unlink()


def see_walk(cmake, tree, out):
    """docs/walk.md: its file is written, its lines run, and they print what it shows."""
    run(cmake, "-S", tree, "-B", out, f"-DTANDEM_ONLY={OPERATION}|scan/(00_serial|04_hillis_steele|11_warp_scans|std_par)[.]")
    shutil.rmtree(os.path.join(tree, "bench", "results", "tuning"))  # of steps that are left out here

    def command_of(line):  # not all that make tables counts is compiled here
        return line.replace("make tables", "make -n tables && python3 tools/operations.py")

    blocks = blocks_of(pathlib.Path(tree, "docs", "walk.md"))
    problems = list(run_shell(blocks, pathlib.Path(tree), "tested by add_files", {"MAKEFLAGS": "-o configure"}, command_of))
    require(not problems, "\n\n".join(problems))
    with open(os.path.join(tree, "docs", "operations", "scan.md")) as page:
        require("| custom/warp_scans | GPU, executor | each warp scans in registers" in page.read(), "the page of scan lacks the new step")
    print(f"{sum(block.language == 'sh' for block in blocks)} blocks of docs/walk.md: all as it says")


def main(cmake, source, build, compiler):
    work = os.path.join(build, "add_files")
    shutil.rmtree(work, ignore_errors=True)
    tree = os.path.join(work, "tree")
    out = os.path.join(tree, "build")
    copy(source, tree, filter(needed, files_of_git(source)))
    before = contents(tree)

    skeleton = os.path.join(source, "tests", "install", "skeleton")
    added = contents(skeleton)
    require(not added.keys() & before.keys(), "the skeleton replaces files of the tree")
    copy(skeleton, tree, added)

    # It is the build that takes the time. Compiled as the tree itself, in a folder of the same name in it, most files come from
    # the compiler's cache; without one they are not optimised.
    kind = "Release" if shutil.which("ccache") else "None"
    run(cmake, "-S", tree, "-B", out, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_BUILD_TYPE={kind}",
        "-DTANDEM_EXAMPLES=OFF", f"-DTANDEM_ONLY={OPERATION}")
    run(cmake, "--build", out, "--target", "tandem_command", "tandem_tests")
    compared = see_command(os.path.join(out, "tandem"), work)
    see_page(os.path.join(out, "tandem"), tree, work)
    for tests in FILTERS:
        run(os.path.join(out, "tandem_tests"), tests)

    program = os.path.join(work, "program")
    with open(program + ".cpp", "w") as stream:
        stream.write(PROGRAM)
    run(compiler, "-std=c++20", "-I", os.path.join(tree, "lib", "include"), program + ".cpp", "-o", program,
        "-L", out, "-ltandem", f"-Wl,-rpath,{out}")
    run(program)

    after = contents(tree)
    changed = {name for name in before | after if before.get(name) != after.get(name)} - added.keys()
    require(changed == {"lib/include/tandem/operations.h"}, f"files of the tree changed: {sorted(changed)}")
    see_table(tree, compared)
    print(f"{len(added)} files added, none edited: the operation is listed, checked, timed, traced, run, tested")
    see_kernel(cmake, tree, out, work)
    see_walk(cmake, tree, out)
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
