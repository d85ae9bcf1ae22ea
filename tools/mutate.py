#!/usr/bin/env python3
"""Mutation: does `tandem check` refuse kernels in which one small thing is wrong?

Makes mutants of the ladders (custom_kernels/ and lib/include/tandem/device/), each with one change by one rule of
tools/mutation_rules.py; builds them into one library, rows OPERATION/wrong/mNNNN; and runs `tandem check` on each. Prints
those that pass, and counts. The seed decides which of all possible mutants are taken: operations, files and rules by
turns. A mutant that the compiler refuses is replaced by the next.

A mutant that passes is one of three:
  same code   its machine code is that of the unchanged file: no mutant at all
  answered    tests/mutants_answered.txt says why it computes the same (or what only speed or another test tells)
  survived    the checker is blind to it
Some files are built unchanged, too, and must pass.
Exit status 0 when at least --goal percent of those that differ are refused, 1 otherwise, 2 on errors.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys

from mutation_rules import RULES, Source, named_by_facts, spread
from pages import write_whole

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANSWERS = ROOT / "tests" / "mutants_answered.txt"
# All operators of these give the same when their operands change places.
COMMUTING = {"reduce", "reduce_by_key", "segmented_reduce"}
# Of a mutant, in JSON.
FIELDS = ("name", "file", "line", "row", "function", "rule", "before", "after", "outcome", "detail")


def one_line(code):
    """Code without comments on one line."""
    return " ".join(re.sub(r"(^|\s)//.*", "", code).split())


def operation_of(file):
    return file.split("/")[1] if file.startswith("custom_kernels") else "shared"


def kernel_files():
    """Every file that mutants are made of, relative to the tree: what the executor and the host compiler see."""
    patterns = ("custom_kernels/*/*", "custom_kernels/*/detail/*", "lib/include/tandem/device/*")
    files = [file for pattern in patterns for file in ROOT.glob(pattern)]
    return sorted(str(f.relative_to(ROOT)) for f in files if re.fullmatch(r"\w+\.(cpp|cu|cuh|h)", f.name))


class Mutant:
    """One change of one file. Its identity (key) is what stands in tests/mutants_answered.txt: no line numbers."""

    def __init__(self, file, source, function, rule, first, last, text):
        start, end = source.spans[first][0], source.spans[last][1]
        self.file, self.function, self.rule, self.line = file, function.name, rule, source.line(first)
        self.changed = source.text[:start] + text + source.text[end:]
        begin, stop = source.lines[self.line - 1], source.text.find("\n", end)
        self.before = one_line(source.text[begin:stop])
        self.after = one_line(source.text[begin:start] + text + source.text[end:stop])
        self.twin = ""  # "2 of 3" of those that read the same
        self.row = self.name = self.outcome = self.detail = ""

    @property
    def operation(self):
        return operation_of(self.file)

    @property
    def key(self):
        twin = f" ({self.twin})" if self.twin else ""
        return f"{self.file} {self.function} {self.rule}{twin}\n- {self.before}\n+ {self.after}".rstrip()


def all_mutants(files):
    mutants = []
    texts = {file: (ROOT / file).read_text() for file in files}
    left_alone = set().union(*map(named_by_facts, texts.values()))
    for file, text in texts.items():
        source = Source(text)
        found = [Mutant(file, source, *change) for change in source.mutants(left_alone)]
        mutants += [m for m in found if m.rule != "order" or m.operation not in COMMUTING]
    alike = collections.defaultdict(list)
    for mutant in mutants:
        alike[mutant.key].append(mutant)
    for group in alike.values():
        for number, mutant in enumerate(group):
            mutant.twin = f"{number + 1} of {len(group)}" if len(group) > 1 else ""
    return mutants


def in_order_of(seed, mutants):
    """Operations by turns, files of an operation by turns, rules of a file by turns. An edit of one file hardly changes
    which mutants of other files come first."""
    def order(path):
        return hashlib.sha256(f"{seed} {path}".encode()).digest()
    return spread(mutants, order, lambda m: m.operation, lambda m: m.file, lambda m: m.rule, lambda m: m.key)


def answers():
    """By key of a mutant: why it is right that it passes."""
    found, waiting = {}, []
    lines = [line.rstrip() for line in ANSWERS.read_text().splitlines() if line.strip() and line[0] != "#"]
    at = 0
    while at < len(lines):
        if lines[at].startswith("= "):
            reason = lines[at][2:]
            while at + 1 < len(lines) and lines[at + 1].startswith("  "):
                at += 1
                reason += " " + lines[at].strip()
            found.update(dict.fromkeys(waiting, reason))
            waiting = []
            at += 1
        else:
            waiting.append("\n".join(lines[at:at + 3]))
            at += 3
    return found


class Rows:
    """The implementations that a build holds, and the files that each includes."""

    def __init__(self, files, built):
        self.text = {file: (ROOT / file).read_text() for file in files}
        self.users = {file: set() for file in files}  # the rows that a file is part of
        for row in files:
            if row in built and re.match(r"custom_kernels/\w+/\w+\.(cpp|cu)$", row):
                self._add(row, row)

    def _add(self, row, file):
        if row in self.users[file]:
            return
        self.users[file].add(row)
        for name in re.findall(r'#include "([^"]+)"', self.text[file]):
            for path in {name, "lib/include/" + name} & self.text.keys():
                self._add(row, path)

    def _users(self, mutant):
        """Of those that a mutant's file is part of the rows of its operation, if any; an order of operands matters only
        where operators need not commute."""
        users = self.users[mutant.file]
        own = {row for row in users if operation_of(row) == mutant.operation}
        ordered = {row for row in users if mutant.rule == "order" and operation_of(row) not in COMMUTING}
        return own or ordered or users

    def of(self, mutant):
        """The row that a mutant is built into: its own file, or always the same one of those that use its function."""
        users = self._users(mutant)
        word = re.compile(rf"\b{mutant.function}\b")
        for files in ([], self.text.keys() - {mutant.file}):  # a row that names it itself before one whose headers do
            naming = [row for row in users
                      if any(word.search(self.text[f]) for f in [row, *files] if row in self.users[f])]
            if naming:
                break
        return min(naming or users, key=lambda row: hashlib.sha256((mutant.key + row).encode()).digest())

    def first(self, suffix):
        return min(row for rows in self.users.values() for row in rows if row.endswith(suffix))


def stop(text):
    print(f"mutate: {text}", file=sys.stderr)
    sys.exit(2)


def must(*words, **options):
    done = subprocess.run(words, text=True, errors="replace", capture_output=True, **options)
    if done.returncode:
        stop(f"{' '.join(map(str, words))[:300]} ... exited with {done.returncode}:\n{done.stderr[:2000]}")


class Builder:
    """Compiles as the build does (compile_commands.json), cheaper where that changes no result."""

    def __init__(self, build, work):
        self.build, self.work = build, work
        self.commands = {}
        launcher = [shutil.which("ccache")] if shutil.which("ccache") else []
        for entry in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])  # without the launcher
            output = words[words.index("-o") + 1]
            if re.match(r"CMakeFiles/tandem(_simt)?\.dir/", output) and entry["file"].endswith(".cpp"):
                wrapped = re.search(r"/simt/(custom_kernels/.*)\.cpp$", entry["file"])  # simt_library() wraps .cu files
                self.commands[wrapped.group(1) if wrapped else os.path.relpath(entry["file"], ROOT)] = launcher + words

    def _command(self, file, source, output, options):
        words = list(self.commands[file])
        words[words.index("-o") + 1] = str(output)
        words[words.index("-c") + 1] = str(source)
        words[words.index("-c"):words.index("-c")] = ["-x", "c++", "-g0", "-w", *options]
        # What stands in the mutant's folder is found before the file of the same path in the tree.
        first = next(k for k, word in enumerate(words) if word.startswith("-"))
        return words[:first] + [f"-I{source.parents[2]}"] + words[first:]

    def write(self, mutant, changed):
        """Lays the mutant's files out: the row as wrong/OPERATION/mNNNN, and the header that it is of, if any."""
        folder = self.work / mutant.name
        row = folder / "wrong" / mutant.row.split("/")[1] / (mutant.name + pathlib.Path(mutant.row).suffix)
        row.parent.mkdir(parents=True, exist_ok=True)
        row.write_text(changed if mutant.file == mutant.row else (ROOT / mutant.row).read_text())
        if mutant.file != mutant.row:
            header = folder / mutant.file.removeprefix("lib/include/")
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_text(changed)
        return row

    def compile(self, mutant):
        """The mutant's object file, in which all names that it defines are its own; None if it does not compile."""
        source = self.write(mutant, mutant.changed)
        output = self.work / f"{mutant.name}.o"
        command = self._command(mutant.row, source, output, ["-O1", "-fno-gnu-unique"])
        if subprocess.run(command, cwd=self.build, capture_output=True).returncode:
            return None
        # Functions of headers are kept once per library: without this, one mutant's would serve all.
        must("ld", "-r", "--force-group-allocation", "-o", f"{output}.own", output)
        must("objcopy", "--wildcard", "--localize-symbol=*", f"{output}.own", output)
        os.remove(f"{output}.own")
        return output

    def same_code(self, mutant):
        """Whether a mutant's machine code, optimised further, is that of the unchanged file."""
        output, code = self.work / f"{mutant.name}.code", []
        for changed in (mutant.changed, (ROOT / mutant.file).read_text()):
            source = self.write(mutant, changed)
            must(*self._command(mutant.row, source, output, ["-O2", "-fno-sanitize=thread"]), cwd=self.build)
            code.append(output.read_bytes())
        return code[0] == code[1]

    def link(self, objects):
        library = self.work / "libtandem_mutants.so"
        hooks = self.work / "hooks.o"
        words = list(self.commands["lib/simt/hooks.cpp"])
        words[words.index("-o") + 1] = str(hooks)
        must(*words, cwd=self.build)
        must("c++", "-shared", "-fopenmp", "-o", library, hooks, *objects, f"-L{self.build}", f"-Wl,-rpath,{self.build}",
             "-ltandem", "-ltandem_executor")
        return library


def limit(seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pathlib.Path("/proc/self/oom_score_adj").write_text("1000")  # what eats all memory is what shall end
    return apply


def check(build, library, mutant, seconds):
    """Runs `tandem check` on a mutant: passed, wrong, crash or time, and the first wrong case."""
    name = f"{mutant.row.split('/')[1]}/wrong/{mutant.name}"
    command = [build / "tandem", "check", name, "--first", "--json"]
    environment = dict(os.environ, LD_PRELOAD=str(library))
    try:
        done = subprocess.run(command, env=environment, preexec_fn=limit(seconds), timeout=20 * seconds, text=True,
                              errors="replace", capture_output=True)
    except subprocess.TimeoutExpired:
        return "time", f"no end within {20 * seconds} s"
    if done.returncode == -9 or done.returncode == -24:
        return "time", f"no end within {seconds} s of processor time"
    if done.returncode < 0:
        return "crash", f"signal {-done.returncode}"
    if done.returncode not in (0, 1):
        stop(f"{' '.join(map(str, command))} exited with {done.returncode}:\n{done.stderr}")
    row, = json.loads(done.stdout)
    if row["cases"] == 0:
        stop(f"no case of {name} was executed")
    return ("wrong", row["first_wrong"]) if row["wrong"] else ("passed", "")


def unchanged(rows):
    """A kernel and a host row as they are, which must pass: a check that refused everything would prove nothing."""
    for number, suffix in enumerate((".cu", ".cpp")):
        file = rows.first(suffix)
        source = Source((ROOT / file).read_text())
        same = Mutant(file, source, source.functions[0], "", 0, 0, source[0])
        same.row, same.name = file, f"u{number:04}"
        yield same


def build_mutants(builder, rows, candidates, wanted, workers):
    """Compiles candidates in their order until there are as many as wanted; returns them with their objects, and how
    many did not compile."""
    built, tried = {}, 0
    while len(built) < wanted and tried < len(candidates):
        batch = candidates[tried:tried + wanted - len(built)]
        for number, mutant in enumerate(batch, tried):
            mutant.row, mutant.name = rows.of(mutant), f"m{number:04}"
        for mutant, compiled in zip(batch, workers.map(builder.compile, batch)):
            if compiled:
                built[mutant] = compiled
            progress(f"built {len(built)} of {wanted}")
        tried += len(batch)
    return built, tried - len(built)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main():
    rules = "\n".join(f"  {name:<14}{one_line(function.__doc__)}" for name, function in RULES.items())
    example = "Example: tools/mutate.py --seed 7 --mutants 300 --only scan"
    parser = argparse.ArgumentParser(description=__doc__, epilog=f"rules:\n{rules}\n\n{example}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a built tree (default: build)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are taken (default: 1)")
    parser.add_argument("--mutants", type=int, default=300, help="how many (default: 300)")
    parser.add_argument("--goal", type=float, default=95, help="percent to be refused of those that differ (default: 95)")
    parser.add_argument("--only", default="", help="regular expression over paths: only mutants of these files")
    parser.add_argument("--rule", choices=RULES, help="only mutants of this rule")
    parser.add_argument("--seconds", type=int, default=60, help="processor time of a check; more is a refusal (default: 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time (default: all cores)")
    parser.add_argument("--json", type=pathlib.Path, help="write every mutant and what became of it to this file")
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "tandem").exists() or not (build / "libtandem_simt.so").exists():
        stop(f"{build} holds no tandem with the executor; build it first: make command")
    work = build / "mutants"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()

    files = kernel_files()
    builder = Builder(build, work)
    rows = Rows(files, builder.commands)
    everything = all_mutants(files)
    answered = answers()
    unknown = answered.keys() - {mutant.key for mutant in everything}
    for key in sorted(unknown):
        print(f"{ANSWERS.name} answers a mutant that no longer exists; look at it anew:\n{key}\n")
    candidates = [m for m in everything
                  if rows.users[m.file] and re.search(options.only, m.file) and options.rule in (None, m.rule)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        order = in_order_of(options.seed, candidates)
        built, not_compiled = build_mutants(builder, rows, order, options.mutants, workers)
        progress("linking")
        controls = {control: builder.compile(control) for control in unchanged(rows)}
        library = builder.link([*controls.values(), *built.values()])
        for control in controls:
            outcome, detail = check(build, library, control, options.seconds)
            if outcome != "passed":
                stop(f"{control.file}, unchanged, is refused: {outcome} {detail}")
        jobs = {workers.submit(check, build, library, mutant, options.seconds): mutant for mutant in built}
        for done, job in enumerate(concurrent.futures.as_completed(jobs)):
            jobs[job].outcome, jobs[job].detail = job.result()
            progress(f"checked {done + 1} of {len(jobs)}")
        passed = [mutant for mutant in built if mutant.outcome == "passed"]
        for mutant, same in zip(passed, workers.map(builder.same_code, passed)):
            mutant.outcome = "same code" if same else "answered" if mutant.key in answered else "survived"
            mutant.detail = answered.get(mutant.key, "")
    progress("")

    count = collections.Counter(mutant.outcome for mutant in built)
    for mutant in built:
        if mutant.outcome == "survived":
            print(f"survived, {mutant.file}:{mutant.line} in {mutant.row}\n{mutant.key}\n")
    refused = count["wrong"] + count["crash"] + count["time"]
    differ = refused + count["survived"]
    share = 100 * refused / differ if differ else 0
    print(f"{len(built)} mutants of {len(candidates)} possible (seed {options.seed}; {not_compiled} more did not compile): "
          f"{refused} refused ({count['wrong']} wrong, {count['crash']} crashed, {count['time']} without end), "
          f"{count['survived']} survived, {count['answered']} equivalent (answered), {count['same code']} the same code; "
          f"{share:.1f} % of those that differ are refused")
    if options.json:
        write_whole(options.json, json.dumps({
            "seed": options.seed, "possible": len(candidates), "percent_refused": share, **count,
            "mutants": [{field: getattr(m, field) for field in FIELDS} for m in built],
        }, indent=1) + "\n")
    sys.exit(0 if share >= options.goal and not unknown else 1)


if __name__ == "__main__":
    main()
