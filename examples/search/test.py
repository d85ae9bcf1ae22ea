#!/usr/bin/env python3
"""Tests of search: every answer is found once more here, by looking through all documents.

Usage: test.py SEARCH [LIBTANDEM_SIMT LIBTANDEM_WRONG_SIMT]
With the libraries, the GPU's kernels answer on the executor, and those that are wrong on purpose are found out. Where there
is a GPU, they answer there.
"""
import functools
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata

search = sys.argv[1]
executor, wrong = sys.argv[2:4] if len(sys.argv) > 2 else (None, None)
ladder = pathlib.Path(__file__).resolve().parents[2] / "custom_kernels" / "intersect"
kernels = [file.stem.split("_", 1)[1] for file in ladder.glob("*.cu") if ".sm" not in file.name]


def run(*args, status=0, environment=None):
    done = subprocess.run([search, *map(str, args)], capture_output=True, env={**os.environ, **(environment or {})})
    out, err = os.fsdecode(done.stdout), os.fsdecode(done.stderr)
    assert done.returncode == status, f"{args}: exit status {done.returncode}, not {status}\n{out}{err}"
    return out, err


# --- the same words, documents and answers, from the definition

@functools.lru_cache(None)
def letter(c):
    if unicodedata.category(c)[0] != "L" and unicodedata.category(c) != "Nd":
        return None
    return "i" if c == "İ" else c.lower()  # the one letter whose simple lower case is not Python's


def words_of(text):
    words, current = [], ""
    for c in [*text, " "]:
        if (l := letter(c)) is not None:
            current += l
        elif current:
            words.append(current.encode()[:255].decode(errors="ignore").encode())
            current = ""
    return words


def text_files(folder):
    """Path below the folder and text of every file that counts, in the order of the documents."""
    found = []
    for path in folder.rglob("*"):
        data = b"\0" if path.is_symlink() or not path.is_file() else path.read_bytes()
        try:
            if b"\0" not in data:
                found.append((os.fsencode(path.relative_to(folder)), data.decode()))
        except UnicodeDecodeError:
            pass
    return sorted(found)


def shown(line):
    line = "".join(" " if c < " " or c == "\x7f" else c for c in line)
    cut = line.encode()[:160].decode(errors="ignore")
    return cut + ("…" if cut != line else "")


class Expected:
    def __init__(self, folder, lines):
        self.documents = []  # (what is printed of it, its text)
        for path, text in text_files(folder):
            full = str(folder / os.fsdecode(path)).replace("\n", "\\n")  # no control characters on a terminal
            if lines:
                parts = text.split("\n")
                parts = parts[:-1] if parts[-1] == "" else parts
                self.documents += [(f"{full}:{i + 1}: {shown(line)}\n", line) for i, line in enumerate(parts)]
            else:
                self.documents.append((f"{full}\n", text))
        self.words = [set(words_of(text)) for _, text in self.documents]
        self.lists = {word: [] for word in sorted(set().union(*self.words))}
        for d, words in enumerate(self.words):
            for word in words:
                self.lists[word].append(d)

    def answer(self, query):
        wanted = set(words_of(query))
        return [d for d, words in enumerate(self.words) if wanted <= words]

    def hash(self, queries):
        value = 0xCBF29CE484222325
        for query in queries:
            found = self.answer(query)
            for number in [len(found), *found]:
                value = ((value ^ number) * 0x100000001B3) % 2**64
        return f"{value:016x}"


# --- a folder of text

VOCABULARY = ["alpha", "Beta", "GAMMA", "x86", "64", "Ärger", "ÖL", "straße", "Čapek", "ŁÓDŹ", "İzmir", "ΑΘΗΝΑ",
              "Σίσυφος", "Москва", "ЁЖ", "日本語", "٣٤", "naïve", "ﬁne", "Ǆ", "e", "I", "ẞ", "Ⱥ"]
SEPARATORS = [" ", " ", ", ", "-", "_", "\t", "\n", "\r\n", "\n\n", " – ", "…", "½", "’",
              "\u00a0", "🙂", "\u0301", "\ufeff"]


def make_folder(folder, rng):
    def text(words, vocabulary):
        return "".join(rng.choice(vocabulary) + rng.choice(SEPARATORS) for _ in range(words))

    rare = [f"w{i}" for i in range(300)]
    for i in range(120):
        sub = folder / rng.choice(["a", "b/c", "b", "ü/deep/er", "."])
        sub.mkdir(parents=True, exist_ok=True)
        (sub / f"file{i}.txt").write_bytes(text(rng.randrange(80), VOCABULARY + rng.sample(rare, 20)).encode())
    (folder / "one\nline\\n and blanks").write_text("alpha beta odd name\nsecond line")
    (folder / os.fsdecode(b"latin\xe9name")).write_text("alpha in a file whose name is no UTF-8\n")
    (folder / "empty").write_bytes(b"")
    (folder / "no end").write_bytes("last line has no end: ΑΘΗΝΑ".encode())
    (folder / "long").write_text("x" * 254 + "é" + "yz " + "é" * 1000 + " q" * 3)
    (folder / "blocks").write_bytes(("a" + "é日🙂 " * 70000).encode())  # letters lie across the pieces that are read
    for name, data in {"nul": b"alpha\0beta", "latin1": b"alpha caf\xe9 beta", "cut": b"alpha \xe6\x97",
                       "overlong": b"a\xc0\xaf", "surrogate": b"a \xed\xa0\x80", "beyond": b"a \xf4\x90\x80\x80 b", "lone": b"alpha \xa9 b"}.items():
        (folder / name).write_bytes(data)
    (folder / "link").symlink_to("empty")
    (folder / "loop").symlink_to(".")
    (folder / "nothing").mkdir()
    return rare


def check_files(index, folder, expected, lines):
    """What the three files hold, as documented."""
    raw = (index / "postings.docs").read_bytes()
    numbers = struct.unpack(f"<{len(raw) // 4}I", raw)
    assert numbers[0] == 1
    lists, at = [], 2
    while at < len(numbers):
        lists.append(list(numbers[at + 1:at + 1 + numbers[at]]))
        at += 1 + numbers[at]
    assert lists == list(expected.lists.values())
    head, *terms = (index / "terms.txt").read_bytes().split(b"\n")
    assert terms[:-1] == list(expected.lists) and terms[-1] == b""
    assert head.startswith(b"tandem-search 1 terms %d " % len(lists))
    head, root, *files = (index / "documents.txt").read_bytes().split(b"\n")
    assert head.startswith(b"tandem-search 1 documents %d " % len(expected.documents))
    assert root == b"%s %d %s" % (b"lines" if lines else b"files", len(files) - 1, os.fsencode(folder))
    escaped = [p.replace(b"\\", b"\\\\").replace(b"\n", b"\\n") for p, _ in text_files(folder)]
    assert [f.split(b" ", 1)[1] for f in files[:-1]] == escaped


def random_queries(rng, expected, rare, count):
    queries = []
    for _ in range(count):
        known = [w.decode() for w in rng.choice(expected.words)] or ["alpha"]
        query = [rng.choice(known) for _ in range(rng.randrange(1, 6))]
        query += rng.sample(VOCABULARY + rare, rng.randrange(2))
        queries.append(rng.choice([" ", "  \t", "+"]).join(query))
    return [q for q in queries if set(words_of(q)) <= expected.lists.keys()]


def has_gpu(index):
    done = subprocess.run([search, "query", str(index), "alpha", "--place", "device"], capture_output=True)
    assert done.returncode == 0 or b"needs " in done.stderr and "TANDEM_TESTS_NEED_DEVICE" not in os.environ, done.stderr
    return done.returncode == 0


def test_answers(work, folder, rare, rng, lines):
    index, expected = work / "index", Expected(folder, lines)
    flag = ["--lines"] if lines else []
    out, _ = run("index", folder, "--out", index, *flag)
    assert f"{len(expected.documents)} documents from {len(text_files(folder))} files" in out
    assert "left out: 7 binary files (a zero byte, or no UTF-8), 0 that cannot be read, 2 links and devices" in out
    check_files(index, folder, expected, lines)

    queries = random_queries(rng, expected, rare, 400)
    for i, query in enumerate(queries[:20]):
        found = expected.answer(query)
        out, err = run("query", index, f"{query} {query}" if i % 2 else f'"{query}"', "--limit", 10**6, status=0 if found else 1)
        assert out == "".join(expected.documents[d][0] for d in found), (query, out)
        assert f"{len(found)} of {len(expected.documents)} documents in " in err, err
    test_ranks(index, expected, queries)
    for place in ["host", *(["executor"] if executor else []), *(["device"] if has_gpu(index) else [])]:
        some, arguments, environment = queries, ["--place", place], {}
        if place == "executor":
            some = queries[:15]
            arguments = ["--implementations", ",".join(f"custom/{name}@simt" for name in kernels)]
            environment = {"LD_PRELOAD": executor}
        (work / "queries").write_text("\n".join([*some, "alpha zzzunknown", "...", ""]))
        out, _ = run("bench", index, "--queries", work / "queries", "--repetitions", 1, "--json", work / "rows.json",
                     *arguments, environment=environment)
        report = json.loads((work / "rows.json").read_text())
        rows = {row["implementation"].removeprefix("intersect/"): row for row in report["rows"]}
        assert report["queries"] == len(some) and report["left_out"] == 2
        wanted = {"host": {"custom/serial", "custom/simd", "custom/threads", "vendor/std_set_intersection"},
                  "executor": {f"custom/{name}@simt" for name in kernels}, "device": {"custom/batch"}}[place]
        assert wanted <= rows.keys(), rows.keys()
        for row in rows.values():
            assert row["hash"] == row["hash_of_the_batch"] == expected.hash(some), row
            assert row["results"] == sum(len(expected.answer(q)) for q in some), row
            assert row["hash"] in out and row["microseconds_by_words"]["all"]["q50"] > 0
        print(f"{place}: {len(expected.documents)} documents, {len(some)} queries, {len(rows)} implementations: right")


# --- the rest

def contents(index):
    return {p.name: p.read_bytes() for p in index.iterdir()}


def test_same_bytes(work, folder):
    run("index", folder, "--out", work / "first")
    run("index", f"{folder}/", "--out", f"{work}/second/")
    first = contents(work / "first")
    assert sorted(first) == ["documents.txt", "postings.docs", "terms.txt"]
    assert first == contents(work / "second")
    inside = folder / "idx"  # an index inside of its folder is no text of the folder
    for _ in range(2):
        run("index", folder, "--out", inside)
        assert contents(inside) == first
    shutil.rmtree(inside)
    run("index", folder, "--out", work / "first", "--lines")  # replaces
    assert contents(work / "first") != first
    run("index", folder, "--out", work / "first")
    assert contents(work / "first") == first
    assert not list(work.glob("*.tmp")) and not list(folder.glob("*.tmp"))
    drawn = ["--random", 20, "--seed", 4, "--repetitions", 1, "--implementations", "serial"]
    hashes = [run("bench", work / name, *drawn)[0].split()[-1] for name in ["first", "second"]]
    assert hashes[0] == hashes[1]


def test_ranks(index, expected, queries):
    """Any number of ranks gives the answer of one."""
    mpirun = os.environ.get("TANDEM_TESTS_MPIRUN")
    if not mpirun:
        return
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "TANDEM_THREADS": "1"}
    for i, query in enumerate(queries[:9]):
        found, ranks, limit = expected.answer(query), 2 + i % 3, [10**6, 3, 0][i % 3]
        done = subprocess.run([mpirun, "-n", str(ranks), search, "query", index, query, "--limit", str(limit)], capture_output=True,
                              env={**os.environ, **settings})
        out, err = os.fsdecode(done.stdout), os.fsdecode(done.stderr)
        assert done.returncode == (0 if found else 1), (query, done.returncode, err)
        assert out == "".join(expected.documents[d][0] for d in found[:limit]), (query, out)
        assert err.count(f"{len(found)} of {len(expected.documents)} documents in ") == 1 and f" on {ranks} ranks" in err, err


def test_disagreement(work):
    rows = ["--repetitions", 1, "--random", 20, "--implementations"]
    out, _ = run("bench", work / "first", *rows, "custom/serial,wrong/last_list_ignored@simt", status=1,
                 environment={"LD_PRELOAD": wrong})
    assert out.splitlines()[-1].endswith("DIFFERS") and out.count("DIFFERS") == 1, out


def test_damage(work, rng):
    (work / "small").mkdir()
    for name, text in {"a": "one two three", "b": "two three four", "c": "three"}.items():
        (work / "small" / name).write_text(text)
    good, bad = work / "good", work / "bad"
    run("index", work / "small", "--out", good)
    assert run("query", good, "three two")[0].split() == [str(work / "small" / n) for n in "ab"]
    for name, data in contents(good).items():
        for length in sorted({0, 1, 4, *rng.sample(range(len(data)), 12), len(data) - 1}):
            shutil.copytree(good, bad, dirs_exist_ok=True)
            (bad / name).write_bytes(data[:length])
            _, err = run("query", bad, "three", status=2)
            assert name in err and "(at byte " in err, (name, length, err)
        for _ in range(12):
            shutil.copytree(good, bad, dirs_exist_ok=True)
            at = rng.randrange(len(data))
            (bad / name).write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:])
            run("query", bad, "three", status=2)
        if name == "postings.docs":  # the number of documents, every bit
            for bit in range(32):
                (bad / name).write_bytes(data[:4] + (int.from_bytes(data[4:8], "little") ^ 1 << bit).to_bytes(4, "little") + data[8:])
                assert name in run("query", bad, "three", status=2)[1]
        shutil.copytree(good, bad, dirs_exist_ok=True)
        (bad / name).unlink()
        assert name in run("query", bad, "three", status=2)[1]
        (bad / name).write_bytes(b"tandem-search 2 something else\n")
        err = run("query", bad, "three", status=2)[1]
        assert name in err and ("(at byte 0)" in err or name == "postings.docs"), err
    (work / "small" / "d").write_text("two")
    run("index", work / "small", "--out", work / "other")
    for name in contents(good):
        shutil.copytree(good, bad, dirs_exist_ok=True)
        shutil.copy(work / "other" / name, bad)
        assert "different indexes" in run("query", bad, "three", status=2)[1]


def test_messages(work, folder):
    index = work / "messages"
    run("index", folder, "--out", index, "--lines")
    _, err = run("query", index, "alpha", "Zzzunknown", "qqq", status=1)
    assert "none has 'zzzunknown', 'qqq'" in err
    out, err = run("query", index, '"alpha" ALPHA alpha', "--limit", 2, "--explain", "--use", "zipper")
    assert "more; --limit N shows N" in err and "by intersect/custom/zipper" in err
    assert out.count("\n") == 6 and "candidates" in out and "asked for with .use" in out, out

    (folder / "later").write_text("first\nfindme here\n")
    run("index", folder, "--out", index, "--lines")
    assert run("query", index, "findme")[0] == f"{folder}/later:2: findme here\n"
    (folder / "later").write_text("first\nsomething else\n")
    assert "has changed" in run("query", index, "findme")[0]
    (folder / "later").unlink()
    assert "has changed" in run("query", index, "findme")[0]

    (work / "empty").mkdir()
    (work / "file").write_text("text")
    shutil.copytree(work / "empty", work / "mine")
    (work / "mine" / "letter.txt").write_text("dear")
    (work / "wordless").mkdir()
    (work / "wordless" / "dots").write_text("... !!\n")
    run("index", work / "wordless", "--out", work / "dots")
    refused = [
        (["index", work / "missing", "--out", work / "x"], "No such file"),
        (["index", work / "file", "--out", work / "x"], "is no folder"),
        (["index", work / "empty", "--out", work / "x"], "holds no text: 0 files are binary"),
        (["index", folder, "--out", work / "file"], "is no folder"),
        (["index", folder, "--out", work / "file" / "x"], "Not a directory"),
        (["index", folder, "--out", work / "missing" / "x"], "cannot be created: No such file"),
        (["index", folder, "--out", work / "mine"], "holds 'letter.txt', which is no file of an index"),
        (["index", folder], "--out is required"),
        (["query", work / "missing", "a"], "there is no such index"),
        (["query", index, "?!"], "has no word"),
        (["query", index, b"caf\xe9"], "not valid UTF-8"),
        (["query", index, "alpha", "--use", "nonsense"], "unknown implementation 'nonsense'; known: custom/serial"),
        (["query", index, "alpha", "--place", "moon"], "moon"),
        (["query", index, "alpha", "--limit", "-1"], "--limit"),
        (["bench", index, "--queries", work / "missing"], "cannot be opened: No such file"),
        (["bench", index, "--queries", work / "file", "--random", "5"], "excludes"),
        (["bench", index, "--queries", work / "file"], "no query whose words the index has"),
        (["bench", index, "--random", "0"], "--random is 0; it must be at least 1"),
        (["bench", index, "--repetitions", "0"], "--repetitions is 0; it must be at least 1"),
        (["bench", index, "--implementations", "serial,nonsense"], "unknown implementation 'nonsense'"),
        (["bench", index, "--random", "2", "--json", work / "missing" / "x"], "cannot be created: No such file"),
        (["bench", work / "dots"], "no query whose words the index has"),
        (["frobnicate"], ""), ([], ""),
    ]
    for arguments, message in refused:
        done = subprocess.run([search, *[a if isinstance(a, bytes) else str(a) for a in arguments]], capture_output=True)
        err = os.fsdecode(done.stdout + done.stderr)
        assert done.returncode == 2 and message in err, (arguments, done.returncode, err)
    assert (work / "mine" / "letter.txt").exists() and not list(work.glob("*.tmp"))
    for command in [[], ["index"], ["query"], ["bench"]]:
        assert "Example: search" in run(*command, "--help")[0]


def main():
    rng = random.Random(6)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name).resolve()
        folder = work / "text"
        folder.mkdir()
        rare = make_folder(folder, rng)
        for lines in [False, True]:
            test_answers(work, folder, rare, rng, lines)
        test_same_bytes(work, folder)
        if wrong:
            test_disagreement(work)
        test_damage(work, rng)
        test_messages(work, folder)


main()
