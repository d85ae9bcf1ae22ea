#!/usr/bin/env python3
"""What the documents show is true: every code block of every page compiles, runs, prints what stands below it, or says why not
(tests/code_blocks.py tells how); and the pages of the operations name all implementations.

Usage: docs_test.py SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER
"""

import array
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from code_blocks import BadPage, blocks_of, run_shell
from commands_test import npy

PAGES = ("*.md", "docs/*.md", "docs/operations/*.md", "custom_kernels/*/README.md", "examples/*/README.md", "packaging/*.md",
         "tests/install/skeleton/**/*.md")
TIMEOUT = 120  # seconds for one line of a shell
SMALL = 64     # sizes on command lines become at most this
MAIN = re.compile(r"^int main\(\) \{$", re.M)


class Failure(Exception):
    pass


def run(*command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          timeout=TIMEOUT, **options)


# --- programs: a block, those that continue it, and what all of them print together ---------------------------------------------


class Program:
    def __init__(self, block):
        self.first, self.blocks, self.printed = block, [block], ""


def programs(blocks, language):
    found, last = [], None
    for block in blocks:
        if block.language == "text" and block.tag == "printed":
            if last and last.language == language and found:
                found[-1].printed += block.text
        elif block.language == language and block.tag == "continued":
            if not found:
                raise Failure(f"{block.where()}: continues nothing")
            found[-1].blocks.append(block)
        elif block.language == language and not block.tag:
            found.append(Program(block))
        if block.language != "text":
            last = block
    return found


def same(shown, printed):
    """But for blanks at the ends of lines."""
    return [line.rstrip() for line in shown.splitlines()] == [line.rstrip() for line in printed.splitlines()]


def cpp_text(all_programs):
    """All programs in one file, each in a namespace of its own: compiling the headers takes longer than all the rest."""
    includes, bodies, calls = {"#include <tandem/tandem.h>": None, "#include <cstring>": None}, [], []
    for number, program in enumerate(all_programs):
        texts = []
        for block in program.blocks:
            lines = block.text.splitlines()
            includes |= dict.fromkeys(line for line in lines if line.startswith("#include"))
            text = "\n".join("" if line.startswith("#include") else line for line in lines)
            texts.append(f'#line {block.line} "{block.page}"\n{text}\n')
        if MAIN.search(texts[0]):
            texts[0] = MAIN.sub("int run() {", texts[0])
            head, end, _ = texts[0].rpartition("}")
            if not end:
                raise Failure(f"{program.first.where()}: main() has no end")
            texts[0] = head
        else:
            texts[0] = "int run() {\n" + texts[0]
        body = texts[0] + "".join(f"{{\n{text}}}\n" for text in texts[1:]) + "return 0;\n}\n"
        bodies.append(f"namespace block_{number} {{\n{body}}}\n")
        calls.append(f"  if (number == {number}) return block_{number}::run();\n")
    return ("\n".join(includes) + "\n" + "".join(bodies) +
            "int main(int, char** words) {\n  const int number = std::atoi(words[1]);\n" + "".join(calls) + "  return 2;\n}\n")


def check_cpp(tree, build, compiler, all_programs, work):
    source, program = work / "blocks.cpp", work / "blocks"
    source.write_text(cpp_text(all_programs))
    done = run(compiler, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", f"-I{tree}/lib/include",
               source, "-o", program, f"-L{build}", "-ltandem", f"-Wl,-rpath,{build}")
    if done.returncode:
        yield f"C++ blocks do not compile:\n{done.stdout[:4000]}"
        return
    for number, one in enumerate(all_programs):
        done = run(program, str(number))
        if done.returncode:
            yield f"{one.first.where()}: exit status {done.returncode}:\n{done.stdout}"
        elif one.printed and not same(one.printed, done.stdout):
            yield f"{one.first.where()}: prints\n{done.stdout}but shows\n{one.printed}"


def check_cuda(tree, compiler, blocks):
    for block in blocks:
        text = f'#line {block.line} "{block.page}"\n{block.text}'
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
                               "-DTANDEM_SIMT", f"-I{tree}", f"-I{tree}/lib/include", "-x", "c++", "-"], input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT)
        if done.returncode:
            yield f"{block.where()}: does not compile:\n{done.stdout[:4000]}"


def check_excerpt(block):
    def plain(text):
        return "\n" + "\n".join(line.strip() for line in text.splitlines()) + "\n"
    whole, at = plain((block.page.parent / block.tag.split()[1]).read_text()), 0
    for part in block.text.split("…\n"):  # … stands for lines that are left out
        at = whole.find(plain(part), at) if at >= 0 else at
    if at < 0:
        yield f"{block.where()}: these lines do not stand in {block.tag.split()[1]}"


def check_python(python, all_programs):
    """Runs them, or where there is no module only parses them."""
    for one in all_programs:
        text = "".join(block.text for block in one.blocks).replace("10**7", "10**4")
        try:
            compile(text, str(one.first.page), "exec")
        except SyntaxError as error:
            yield f"{one.first.where()}: {error}"
            continue
        if python:
            done = run(python, "-c", text)
            if done.returncode:
                yield f"{one.first.where()}: exit status {done.returncode}:\n{done.stdout}"
            elif one.printed and not same(one.printed, done.stdout):
                yield f"{one.first.where()}: prints\n{done.stdout}but shows\n{one.printed}"


# --- command lines ------------------------------------------------------------------------------------------------------------------


def make_files(folder):
    """What the command lines of the pages read."""
    def matrix(name, rows, cols, values=None):
        npy(folder / f"{name}.npy", "<f4", f"({rows}, {cols})", array.array("f", values or range(1, rows * cols + 1)))
    for name in "xyv":
        npy(folder / f"{name}.npy", "<f4", "(8,)", array.array("f", [3, 1, 4, 1, 5, 9, 2, 6]))
    for name, shape in (("z", (8,)), ("g", (8,)), ("images", (2, 2, 2))):
        npy(folder / f"{name}.npy", "<c8", shape, array.array("f", range(16)))
    npy(folder / "edges.npy", "<f4", "(4,)", array.array("f", [1, 2, 5, 9]))
    npy(folder / "offsets.npy", "<i8", "(4,)", array.array("q", [0, 2, 2, 8]))
    (folder / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate real general\n8 8 2\n1 8 0.5\n8 1 2\n")
    matrix("m", 2, 3), matrix("A", 2, 3), matrix("B", 3, 2), matrix("features", 8, 2)
    for name, value in (("a", -1), ("b", 4), ("c", -1), ("d", 2)):  # diagonals and right-hand side
        matrix(name, 4, 3, [value] * 12)


def smaller(sizes):
    """4Kx4Kx64 with no extent above SMALL; a list of sizes becomes one of as many."""
    def less(found):
        n = int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]]
        return str(min(n, SMALL))
    return re.sub(r"(\d+)([KMG]?)", less, sizes)


# What is added to a subcommand of tandem where it is not given, and what is replaced.
BRIEFLY = {"compare": (("--repetitions", "3"),), "check": (("--coverage", "brief"),), "audit": (("--shapes", "1"), ("--quick", "")),
           "tune": (("--quick", ""), ("--seconds", "1")), "reproduce": (("--quick", ""),)}
SMALLER = ((r"(--n|--shape) (\S+)", lambda found: f"{found[1]} {smaller(found[2])}"), (r"--shapes \d+", "--shapes 1"),
           (r"--seconds \d+", "--seconds 1"), (r" --thorough", ""), (r"--all", "complexity"), (r"--like lab", "--like small"),
           (r"(report bench/.*) --trace", r"\1"), (r"--baseline old.json", "--baseline scan.json"),
           (r"(reproduce) (scan-crossover tile-sweep|)$", r"\1 complexity"))


def brief_tandem(part):
    """A command line of tandem, on little data and for a short time."""
    command, words = re.match(r"build/tandem (\w+)", part)[1], re.sub(r"\s+#.*", "", part).rstrip()
    if words.endswith(("--help", "--show", "--reset")):
        return words
    for pattern, less in SMALLER:
        words = re.sub(pattern, less, words)
    for option, value in BRIEFLY.get(command, ()):
        if f" {option}" not in words:
            words = f"{words} {option} {value}"
    if command == "compare" and not re.search(" --(n|shape|in|draw) ", words):
        words += f" --n {SMALL}"
    return words + (" || test $? = 1" if command == "tune" else "")  # a machine that is busy


def brief(line):
    """What runs instead of a line: the same on little data; what builds the tree is only said."""
    line = re.sub(r"\s+#.*", "", line)
    if line.startswith("make "):
        return f"make -n {line[5:]}"
    if line.startswith("cmake --build "):
        return line + " -- -n"
    if line.startswith("ctest "):
        return f"ctest -N {line[6:]}"
    line = line.replace("/tmp/", "")
    line = re.sub(r"--variants \d+", "--variants 1000", line)  # of a fuzz target
    line = re.sub(r"--steps (\d+)", lambda steps: f"--steps {max(1, int(steps[1]) // 600)}", line)  # of channel_flow
    return re.sub(r"build/tandem (?:'[^']*'|[^|&>'])*", lambda part: brief_tandem(part[0]) + " ", line) if re.match("build/tandem", line) else line


def check_shell(tree, build, blocks):
    """The lines of a page, in order, in a folder that looks like the tree after a build."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in tree.iterdir():
            if not path.name.startswith((".", "build")):
                (folder / path.name).symlink_to(path)
        (folder / "build").symlink_to(build)
        make_files(folder)
        yield from run_shell(blocks, folder, "", {"TANDEM_CHOICE": str(folder / "choices")}, brief)


# --- the operations' pages ----------------------------------------------------------------------------------------------------------


def check_paths(tree, build):
    """The tables are written from the files; this is what they registered."""
    listed = json.loads(run(build / "tandem", "list", "--json").stdout)
    by_operation = collections.defaultdict(set)
    for row in listed:
        if row["place"] != "simt":
            by_operation[row["operation"]].add(row["implementation"].split("/", 1)[1])
    for operation, names in by_operation.items():
        page = tree / "docs" / "operations" / f"{operation}.md"
        shown = set(re.findall(r"^\| ((?:custom|vendor)/\w+) \|", page.read_text(), re.M))
        if shown != names:
            yield f"{page}: shows {sorted(shown - names)} too many, {sorted(names - shown)} too few (make tables)"


BAD_PAGES = {"Text\n\n    build/tandem list\n": "an indented block", "```\nx\n```\n": "does not say what", "```sh in a minute\nx\n```\n":
             "does not say what", "```fortran\nx\n```\n": "does not say what", "```sh\nx\n": "has no end"}


def check_refusals():
    """A block that says nothing about itself is no block that passes."""
    with tempfile.TemporaryDirectory() as name:
        page = pathlib.Path(name, "page.md")
        for text, message in BAD_PAGES.items():
            page.write_text(text)
            try:
                yield f"a bad page passes with {len(blocks_of(page))} blocks:\n{text}"
            except BadPage as error:
                if message not in str(error):
                    yield f"a bad page is said to be '{error}', not '{message}':\n{text}"


def main(source, build, compiler):
    tree, build = pathlib.Path(source).resolve(), pathlib.Path(build).resolve()
    pages = sorted({page for pattern in PAGES for page in tree.glob(pattern)})
    problems, by_page = list(check_refusals()), {}
    for page in pages:
        try:
            by_page[page] = blocks_of(page)
        except BadPage as error:
            problems.append(str(error))
    blocks = [block for some in by_page.values() for block in some]
    tests = "".join(file.read_text() for file in (tree / "tests/CMakeLists.txt", *tree.glob("examples/*/CMakeLists.txt")))
    for block in blocks:
        if block.tag.startswith("tested by "):
            test = block.tag.split()[2]
            if not re.search(rf"(add_test\(NAME |rank_test\(){test}\s", tests) and not list(tree.glob(f"tests/**/{test}_test.cpp")):
                problems.append(f"{block.where()}: there is no test '{test}'")
        if block.tag.startswith("from "):
            problems += check_excerpt(block)

    os.environ.update(CUDA_VISIBLE_DEVICES="", PATH=f"{build}/python/env/bin:{os.environ['PATH']}")
    python = build / "python" / "env" / "bin" / "python"
    if not python.exists() or run(python, "-c", "import tandem").returncode:
        python = None
    cpp = [program for some in by_page.values() for program in programs(some, "cpp")]
    in_python = [program for some in by_page.values() for program in programs(some, "python")]
    cuda = [block for block in blocks if block.language == "cuda"]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def start(check, *words):
            return pool.submit(lambda: list(check(*words)))
        jobs = [start(check_cpp, tree, build, compiler, cpp, pathlib.Path(name)), start(check_cuda, tree, compiler, cuda),
                start(check_python, python, in_python), start(check_paths, tree, build)]
        jobs += [start(check_shell, tree, build, some) for some in by_page.values()
                 if any(block.language == "sh" and not block.tag for block in some)]
        for job in jobs:
            problems += job.result()

    left_out = collections.Counter(block.tag for block in blocks if block.left_out())
    print(*problems, sep="\n\n")
    shell = [block for block in blocks if block.language == "sh" and not block.tag]
    print(f"{len(by_page)} pages, {len(blocks)} blocks: C++ {sum(len(one.blocks) for one in cpp)} compiled and run, CUDA {len(cuda)} "
          f"compiled, Python {len(in_python)} {'run' if python else 'parsed (the package is not built)'}, shell {len(shell)} run "
          f"({sum(len(block.text.splitlines()) for block in shell)} lines), excerpts "
          f"{sum(block.tag.startswith('from ') for block in blocks)} found, text {sum(block.language == 'text' for block in blocks)}; "
          f"left out {sum(left_out.values())}: " + ", ".join(f"{count} {tag}" for tag, count in left_out.most_common()))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
