#!/usr/bin/env python3
"""One file added to the tree is enough: a new step is listed, checked and timed, and a wrong one is refused. A step that
tools/new_step.py starts computes what its neighbour does.

Works on a copy of the tree. Usage: add_a_kernel_test.py CMAKE SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER
"""

import json
import os
import shutil
import sys

from copied_tree import copy, files_of_git, require, rows, run

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


def main(cmake, source, build, compiler):
    work = os.path.join(build, "add_a_kernel")
    shutil.rmtree(work, ignore_errors=True)
    tree, out = os.path.join(work, "tree"), os.path.join(work, "build")
    copy(source, tree, files_of_git(source))
    for name, text in (("90_extra.cpp", RIGHT), ("91_extra_wrong.cpp", WRONG)):
        with open(os.path.join(tree, "custom_kernels", "reduce", name), "w") as file:
            file.write(text)
    started = run(sys.executable, os.path.join(tree, "tools", "new_step.py"), "reduce", "mine", "serial")
    require("custom_kernels/reduce/92_mine.cpp" in started, f"the new step is not named:\n{started}")
    for arguments, word in ((["reduce", "mine"], "exists already"), (["reduc", "x"], "known: "), (["reduce", "X y"], "lower case")):
        refused = run(sys.executable, os.path.join(tree, "tools", "new_step.py"), *arguments, status=1)
        require(word in refused, f"new_step.py {arguments} says:\n{refused}")
    # Unoptimised: it is the build that takes the time.
    run(cmake, "-S", tree, "-B", out, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", "-DTANDEM_TESTS=OFF",
        "-DTANDEM_EXAMPLES=OFF", "-DTANDEM_SIMT=OFF", "-DCMAKE_BUILD_TYPE=None", "-DTANDEM_ONLY=reduce/(00_serial|90_extra|91_extra_wrong|92_mine)")
    run(cmake, "--build", out)
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
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
