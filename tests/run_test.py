#!/usr/bin/env python3
"""tandem run on .npy files of either order, of either byte order, along axes and through pipes: what it writes lies as what it read.

Usage: run_test.py TANDEM
"""

import cmath
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

tandem = os.path.abspath(sys.argv[1])
LETTERS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i4": "i", "i8": "q", "u1": "B", "u4": "I", "u8": "Q", "c8": "f", "c16": "d"}


def positions(shape, fortran):
    """Indices in the order in which elements lie."""
    if not fortran:
        return list(itertools.product(*map(range, shape)))
    return [index[::-1] for index in itertools.product(*map(range, reversed(shape)))]


def npy(values, shape, code="<f4", fortran=False):
    """A file as numpy.save writes it; `values` by index."""
    header = str({"descr": code, "fortran_order": fortran, "shape": tuple(shape)})
    header += " " * (-(11 + len(header)) % 64) + "\n"
    numbers = [values[i] for i in positions(shape, fortran)]
    if code[1] == "c":
        numbers = [part for number in numbers for part in (number.real, number.imag)]
    data = struct.pack(f"{code[0].replace('|', '=')}{len(numbers)}{LETTERS[code[1:]]}", *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def read(content):
    """Its type, order, shape, and values by index."""
    length = struct.unpack("<H", content[8:10])[0]
    head = eval(content[10 : 10 + length])
    code, fortran, shape = head["descr"], head["fortran_order"], head["shape"]
    where = positions(shape, fortran)
    parts = 2 if code[1] == "c" else 1
    values = struct.unpack(f"{code[0].replace('|', '=')}{parts * len(where)}{LETTERS[code[1:]]}", content[10 + length :])
    if parts == 2:
        values = map(complex, values[::2], values[1::2])
    return code, fortran, shape, dict(zip(where, values))


def run(folder, *words, stdin=b"", status=0):
    done = subprocess.run([tandem, "run", *words], cwd=folder, input=stdin, capture_output=True, timeout=60)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def line(values, axis, index):
    """The values along an axis through an index, up to the index."""
    return [values[(*index[:axis], i, *index[axis + 1 :])] for i in range(index[axis] + 1)]


def test_threads_do_not_change_a_scan(folder):
    count = 300000
    for code in ["<f4", "<f8"]:
        values = {(i,): ((i * 7919) % 1000003) / 977 - 400 for i in range(count)}
        (folder / "x.npy").write_bytes(npy(values, (count,), code))
        results = set()
        for threads in "1", "2", "3", "7":
            subprocess.run([tandem, "run", "scan", "--in", "x.npy", "--out", "y.npy"], cwd=folder, check=True, timeout=60,
                           capture_output=True, env=dict(os.environ, TANDEM_THREADS=threads))
            results.add((folder / "y.npy").read_bytes())
        assert len(results) == 1, code


def test_axes(folder):
    shape = (3, 4, 2)
    for code, fortran, axis in itertools.product(["<f4", ">f4", "<f8", "<i4", ">i8"], [False, True], [0, 1, 2, -1]):
        at = axis % 3
        values = {index: (7 * n + 3) % 11 - 5 for n, index in enumerate(positions(shape, False))}
        (folder / "x.npy").write_bytes(npy(values, shape, code, fortran))
        done = run(folder, "scan", "--in", "x.npy", "--axis", str(axis), "--out", "y.npy")
        assert done.stdout.startswith(f"scan plus along axis {axis}: x.npy".encode()) and done.stdout.count(b"\n") == 1, done.stdout
        assert done.stderr == b"", done.stderr
        wanted = {index: sum(line(values, at, index)) for index in values}
        assert read((folder / "y.npy").read_bytes()) == (code, fortran, shape, wanted), (code, fortran, axis)
        run(folder, "scan", "--in", "x.npy", "--axis", str(axis), "--exclusive", "--op", "maximum", "--init", "1", "--out", "y.npy")
        wanted = {index: max([1, *line(values, at, index)[:-1]]) for index in values}
        assert read((folder / "y.npy").read_bytes())[3] == wanted, (code, fortran, axis)
        run(folder, "reduce", "--in", "x.npy", "--axis", str(axis), "--out", "y.npy")
        left = shape[:at] + shape[at + 1 :]
        ends = {index[:at] + index[at + 1 :]: sum(line(values, at, index)) for index in values if index[at] == shape[at] - 1}
        assert read((folder / "y.npy").read_bytes()) == (code, fortran, left, ends), (code, fortran, axis)
    (folder / "x.npy").write_bytes(npy({(i,): i for i in range(5)}, (5,), "|i1"))
    run(folder, "reduce", "--in", "x.npy", "--axis", "0", "--out", "y.npy")
    assert read((folder / "y.npy").read_bytes()) == ("<i4", False, (), {(): 10})  # the type that it accumulates in


def test_matrices(folder):
    a = {index: n + 1.0 for n, index in enumerate(positions((2, 3), False))}
    b = {index: 5.0 - n for n, index in enumerate(positions((3, 4), False))}
    product = {(i, j): sum(a[i, k] * b[k, j] for k in range(3)) for i in range(2) for j in range(4)}
    for fortran_a, fortran_b, code in itertools.product([False, True], [False, True], ["<f4", ">f8"]):
        (folder / "a.npy").write_bytes(npy(a, (2, 3), code, fortran_a))
        (folder / "b.npy").write_bytes(npy(b, (3, 4), code, fortran_b))
        run(folder, "gemm", "--a", "a.npy", "--b", "b.npy", "--out", "c.npy")
        assert read((folder / "c.npy").read_bytes()) == (code, fortran_a, (2, 4), product)
        run(folder, "transpose", "--in", "a.npy", "--out", "t.npy")
        assert read((folder / "t.npy").read_bytes()) == (code, fortran_a, (3, 2), {(j, i): v for (i, j), v in a.items()})
    # Systems of -1, 4, -1, three unknowns each, whose solutions are known.
    x = {(s, i): float(s + 2 * i + 1) for s in range(2) for i in range(3)}
    rhs = {(s, i): 4 * v - x.get((s, i - 1), 0) - x.get((s, i + 1), 0) for (s, i), v in x.items()}
    for fortran, layout in itertools.product([False, True], ["contiguous", "interleaved"]):
        shape = (2, 3) if layout == "contiguous" else (3, 2)
        turned = lambda values: values if layout == "contiguous" else {(i, s): v for (s, i), v in values.items()}
        for name, values in [("l", dict.fromkeys(x, -1.0)), ("d", dict.fromkeys(x, 4.0)), ("r", rhs)]:
            (folder / f"{name}.npy").write_bytes(npy(turned(values), shape, "<f8", fortran))
        arguments = ["--lower", "l.npy", "--diag", "d.npy", "--upper", "l.npy", "--rhs", "r.npy", "--layout", layout, "--out", "x.npy"]
        run(folder, "tridiagonal", *arguments)
        code, order, read_shape, values = read((folder / "x.npy").read_bytes())
        assert (code, order, read_shape) == ("<f8", fortran, shape)
        assert all(abs(values[index] - v) < 1e-12 for index, v in turned(x).items()), (fortran, layout, values)
    (folder / "d.npy").write_bytes(npy(turned(x), shape, "<f8", False))
    done = run(folder, "tridiagonal", *arguments, status=2)
    assert b"d.npy: is in C order; all four arrays must be in one order, as l.npy is" in done.stderr, done.stderr


def fourier(x, shape, axes, sign=-1):
    """The transform along the last axes, by its definition."""
    kept = len(shape) - axes
    y = {}
    for index in positions(shape, False):
        turns = {other: sum(j * k / n for j, k, n in zip(other, index[kept:], shape[kept:])) for other in positions(shape[kept:], False)}
        y[index] = sum(x[(*index[:kept], *other)] * cmath.exp(sign * 2j * cmath.pi * turn) for other, turn in turns.items())
    return y


def close(got, wanted, most=1e-4):
    return got.keys() == wanted.keys() and all(abs(got[index] - v) < most for index, v in wanted.items())


def parts_of(values):
    return {(*index, part): (v.real, v.imag)[part] for index, v in values.items() for part in (0, 1)}


def numbers_of(parts):
    return {index[:-1]: complex(v, parts[(*index[:-1], 1)]) for index, v in parts.items() if index[-1] == 0}


# How a file holds complex numbers: its type, what it says of numbers of a shape, and back.
COMPLEX_FILES = [(code, shape_of, to_file, from_file) for codes, shape_of, to_file, from_file in [
    (["<c8", ">c8", "<c16", ">c16"], lambda shape: shape, lambda values: values, lambda values: values),
    (["<f4", ">f8"], lambda shape: (*shape, 2), parts_of, numbers_of)] for code in codes]


def some_numbers(shape):
    return {index: complex((7 * k + 3) % 11 - 5, (3 * k + 1) % 7 - 3) for k, index in enumerate(positions(shape, False))}


def test_complex_transforms(folder):
    for (code, shape_of, to_file, from_file), fortran, shape in itertools.product(COMPLEX_FILES, [False, True], [(5,), (2, 6), (2, 3, 4)]):
        x = some_numbers(shape)
        (folder / "x.npy").write_bytes(npy(to_file(x), shape_of(shape), code, fortran))
        for words, axes in [(["fft"], 1), (["fft_nd"], len(shape)), (["fft_nd", "--axes", "1"], 1)]:
            done = run(folder, *words, "--in", "x.npy", "--out", "y.npy")
            assert done.stdout.startswith(f"{words[0]}: x.npy {'complex ' if code[1] == 'c' else ''}f".encode()), done.stdout
            got, order, read_shape, y = read((folder / "y.npy").read_bytes())
            assert (got, order, read_shape) == (code, fortran, shape_of(shape)), (words, code, fortran, shape)
            assert close(from_file(y), fourier(x, shape, axes)), (words, code, fortran, shape)
            run(folder, *words, "--inverse", "--in", "y.npy", "--out", "z.npy")
            got, order, read_shape, z = read((folder / "z.npy").read_bytes())
            assert (got, order, read_shape) == (code, fortran, shape_of(shape)) and close(from_file(z), x), (words, code, fortran, shape)


def test_real_transforms(folder):
    for code, fortran, n in itertools.product(["<f4", ">f8"], [False, True], [1, 6, 7]):
        x = {(row, j): float((5 * row + 3 * j) % 7) for row in range(2) for j in range(n)}
        (folder / "x.npy").write_bytes(npy(x, (2, n), code, fortran))
        run(folder, "real_fft", "--in", "x.npy", "--out", "y.npy")
        got, order, shape, y = read((folder / "y.npy").read_bytes())
        assert (got, order, shape) == (f"{code[0]}c{2 * int(code[2])}", fortran, (2, n // 2 + 1))
        wanted = {index: v for index, v in fourier(x, (2, n), 1).items() if index[1] <= n // 2}
        assert close(y, wanted), (code, fortran, n)
        (folder / "parts.npy").write_bytes(npy(parts_of(y), (*shape, 2), code, fortran))
        for file in "y.npy", "parts.npy":
            run(folder, "real_fft", "--inverse", "--n", str(n), "--in", file, "--out", "z.npy")
            got, order, shape, back = read((folder / "z.npy").read_bytes())
            assert (got, order, shape) == (code, fortran, (2, n)) and close(back, x, 1e-5), (code, fortran, n, file)


def test_real_grids(folder):
    for code, fortran, shape in itertools.product(["<f4", ">f8"], [False, True], [(6,), (2, 5), (3, 2, 4)]):
        x = {index: float((5 * k + 3) % 7) for k, index in enumerate(positions(shape, False))}
        (folder / "x.npy").write_bytes(npy(x, shape, code, fortran))
        n, half = shape[-1], (*shape[:-1], shape[-1] // 2 + 1)
        for words, axes in [([], len(shape)), (["--axes", "1"], 1)]:
            run(folder, "real_fft_nd", *words, "--in", "x.npy", "--out", "y.npy")
            got, order, read_shape, y = read((folder / "y.npy").read_bytes())
            assert (got, order, read_shape) == (f"{code[0]}c{2 * int(code[2])}", fortran, half)
            wanted = {index: v for index, v in fourier(x, shape, axes).items() if index[-1] <= n // 2}
            assert close(y, wanted), (words, code, fortran, shape)
            (folder / "parts.npy").write_bytes(npy(parts_of(y), (*half, 2), code, fortran))
            for file in "y.npy", "parts.npy":
                run(folder, "real_fft_nd", *words, "--inverse", "--n", str(n), "--in", file, "--out", "z.npy")
                got, order, read_shape, back = read((folder / "z.npy").read_bytes())
                assert (got, order, read_shape) == (code, fortran, shape) and close(back, x, 1e-5), (words, code, fortran, shape, file)


def test_convolutions(folder):
    for (code, shape_of, to_file, from_file), fortran, n in itertools.product(COMPLEX_FILES, [False, True], [1, 6, 7]):
        x, g = some_numbers((2, n)), some_numbers((n,))
        (folder / "x.npy").write_bytes(npy(to_file(x), shape_of((2, n)), code, fortran))
        wanted = {(row, j): sum(g[i,] * x[row, (j - i) % n] for i in range(n)) for row, j in x}
        precision = 4 if code[1:] in ("c8", "f4") else 8
        for filter_code, shape, values in (f"<c{2 * precision}", (n,), g), (f"<f{precision}", (n, 2), parts_of(g)):
            (folder / "g.npy").write_bytes(npy(values, shape, filter_code))
            run(folder, "fft", "--in", "g.npy", "--out", "h.npy")
            run(folder, "convolve", "--in", "x.npy", "--filter", "h.npy", "--out", "y.npy")
            got, order, shape, y = read((folder / "y.npy").read_bytes())
            assert (got, order, shape) == (code, fortran, shape_of((2, n))) and close(from_file(y), wanted, 1e-3), (code, fortran, n)


def test_transforms_of_elements(folder):
    unsigned = {"u4": 32, "u8": 64}
    for code, shape, fortran, other in itertools.product(["<f4", ">f8", "<i4", ">i8", "<u4", ">u4", "<u8"],
                                                         [(), (5,), (2, 3), (2, 3, 2)], [False, True], [False, True]):
        of_type = lambda v: v % 2 ** unsigned[code[1:]] if code[1:] in unsigned else v
        x = {index: of_type((7 * k + 3) % 11 - 5) for k, index in enumerate(positions(shape, False))}
        y = {index: (3 * k + 2) % 5 for k, index in enumerate(positions(shape, False))}
        (folder / "x.npy").write_bytes(npy(x, shape, code, fortran))
        (folder / "y.npy").write_bytes(npy(y, shape, code, other))
        run(folder, "transform", "--f", "axpy", "--alpha", "3", "--in", "x.npy", "--in", "y.npy", "--out", "z.npy")
        assert read((folder / "z.npy").read_bytes()) == (code, fortran, shape, {i: of_type(3 * v + y[i]) for i, v in x.items()})
    (folder / "u.npy").write_bytes(npy({(0,): 4000000000}, (1,), "<u4"))
    run(folder, "transform", "--f", "axpy", "--alpha", "4294967295", "--in", "u.npy", "--in", "u.npy", "--out", "z.npy")
    assert read((folder / "z.npy").read_bytes())[3] == {(0,): 0}


# NumPy's types of numbers that an operation takes (docs/operations), and those that are refused with what is read.
TAKEN = {"scan": "f2 f4 f8 i1 i4 i8 u1 u4 u8", "reduce": "f2 f4 f8 i1 i4 i8 u1 u4 u8", "transpose": "f2 f4 f8 i1 i4 i8 u1 u4 u8 c8",
         "gemm": "f2 f4 f8", "sort": "f2 f4 f8 i1 i4 i8 u1 u4 u8", "top_k": "f2 f4 f8 i1 i4 i8 u1 u4 u8",
         "select": "f2 f4 f8 i1 i4 i8 u1 u4 u8",
         "histogram": "f4 f8 i4 u4 u1", "transform": "f4 f8 i4 i8 u4 u8", "segmented_reduce": "f2 f4 f8 i1 i4 i8 u1 u4 u8",
         "segmented_scan": "f2 f4 f8 i1 i4 i8 u1 u4 u8",
         "reduce_by_key": "f2 f4 f8 i1 i4 i8 u1 u4 u8", "fft": "c8 c16", "fft_nd": "c8 c16", "convolve": "c8 c16",
         "real_fft": "f4 f8", "real_fft_nd": "f4 f8", "tridiagonal": "f4 f8"}
ARGUMENTS = {"scan": ["--axis", "0"], "reduce": ["--axis", "0"], "top_k": ["--k", "2"], "select": ["--unique"],
             "histogram": ["--lower", "0", "--upper", "9"], "transform": ["--f", "negate"], "segmented_reduce": ["--length", "2"],
             "segmented_scan": ["--length", "2"], "reduce_by_key": ["--keys", "keys.npy"], "convolve": ["--filter", "x.npy"],
             "tridiagonal": ["--pivot"]}


def test_types(folder):
    (folder / "keys.npy").write_bytes(npy({(i,): i // 2 for i in range(4)}, (4,), "<i4"))
    for operation, taken in TAKEN.items():
        matrices = operation in ("transpose", "gemm")
        shape = (2, 2) if matrices else (4,)
        inputs = ["--in", "x.npy"]
        if operation == "gemm":
            inputs = ["--a", "x.npy", "--b", "x.npy"]
        if operation == "tridiagonal":
            inputs = [word for name in ("lower", "diag", "upper", "rhs") for word in (f"--{name}", "x.npy")]
        for code in LETTERS:
            values = {index: k + 1 for k, index in enumerate(positions(shape, False))}
            for order in "<", ">":
                (folder / "x.npy").write_bytes(npy(values, shape, ("|" if code[1:] == "1" else order) + code))
                for file in folder.glob("out.npy"):
                    file.unlink()
                words = [operation, *inputs, *ARGUMENTS.get(operation, []), "--out", "out.npy"]
                taken_here = code in taken.split()
                done = run(folder, *words, status=0 if taken_here else 2)
                assert (folder / "out.npy").exists() == taken_here, words
                if not taken_here:
                    assert b"; it takes " in done.stderr or b"complex" in done.stderr, (words, done.stderr)
    bits = npy({(i,): i % 2 for i in range(4)}, (4,), "|u1").replace(b"|u1", b"|b1")
    (folder / "x.npy").write_bytes(bits)
    assert b"elements are '|b1'" in (said := run(folder, "reduce", "--in", "x.npy", status=2).stderr) and b"x.view('u1')" in said, said


def test_histograms_count_each_element_once(folder):
    image = {(i, j): (i * i * 31 + j * 7) % 256 for i in range(90) for j in range(70)}
    edges = [-5, 10, 11, 200, 255]
    (folder / "edges.npy").write_bytes(npy({(i,): b for i, b in enumerate(edges)}, (len(edges),), "<i8"))
    for fortran in [False, True]:
        (folder / "image.npy").write_bytes(npy(image, (90, 70), "|u1", fortran))
        run(folder, "histogram", "--in", "image.npy", "--lower", "0", "--upper", "256", "--out", "counts.npy")
        code, _, shape, counts = read((folder / "counts.npy").read_bytes())
        assert (code, shape) == ("<i8", (256,))
        assert [counts[b,] for b in range(256)] == [list(image.values()).count(b) for b in range(256)]
        run(folder, "histogram", "--in", "image.npy", "--edges", "edges.npy", "--out", "counts.npy")
        counts = read((folder / "counts.npy").read_bytes())[3]
        assert list(counts.values()) == [sum(a <= x < b for x in image.values()) for a, b in zip(edges, edges[1:])]


def test_random_numbers_go_on_where_others_end(folder):
    def numbers(*arguments):
        run(folder, "random", "--seed", "7", "--distribution", "normal", *arguments, "--out", "r.npy")
        return list(read((folder / "r.npy").read_bytes())[3].values())

    whole = numbers("--n", "5000")
    assert whole == numbers("--n", "1234") + numbers("--n", "3766", "--offset", "1234", "--use", "custom/serial")
    assert abs(sum(whole) / 5000) < 0.06 and abs(sum(x * x for x in whole) / 5000 - 1) < 0.1


def test_pipes(folder):
    values = {(i,): float(i % 5) for i in range(1000)}
    x = npy(values, (1000,), ">f4")
    done = run(folder, "scan", "--in", "-", "--out", "-", stdin=x)
    assert read(done.stdout)[0] == ">f4" and read(done.stdout)[3] == {i: float(sum(line(values, 0, i))) for i in values}
    assert done.stderr.startswith(b"scan plus: standard input f32 (1000,) -> standard output; scan/") and done.stderr.count(b"\n") == 1
    done = run(folder, "transform", "--f", "negate", "--in", "-", "--out", "-", stdin=done.stdout)
    assert read(done.stdout)[3][999,] == -sum(values.values())
    done = run(folder, "reduce", "--in", "-", stdin=x)
    assert done.stdout == b"2000\n" and done.stderr.startswith(b"reduce plus: standard input f32 (1000,) -> "), done
    with open(folder / "redirected.npy", "wb") as out:  # what is there stays: a shell may append
        out.write(b"before")
        out.flush()
        subprocess.run([tandem, "run", "scan", "--in", "-", "--out", "-"], input=x, stdout=out, stderr=subprocess.DEVNULL, check=True)
    assert (folder / "redirected.npy").read_bytes().startswith(b"before\x93NUMPY")
    for content, message in [(b"", "standard input: ends inside"), (x[:-1], "standard input: has 3999 bytes of data"),
                             (x + b"x", "standard input: has 4001 bytes of data")]:
        assert message in run(folder, "scan", "--in", "-", "--out", "-", stdin=content, status=2).stderr.decode()


# . . 5
# -1 . 4
WIDE = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 3 5\n2 1 -1\n2 3 4\n"


def test_sparse_products(folder):
    (folder / "a.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 3 0.5\n3 1 4\n")
    for code in "<f4", ">f8":
        for name, values in ("x", [1, 10, 100]), ("y", [1, 2, 3]):
            (folder / f"{name}.npy").write_bytes(npy({(i,): v for i, v in enumerate(values)}, (3,), code))
        for words in ["spmv"], ["spmv_sell"], ["spmv_sell", "--slice-rows", "2", "--sort-rows", "3"], ["spmv_bsr", "--block-cols", "2"]:
            done = run(folder, *words, "--a", "a.mtx", "--x", "x.npy", "--out", "z.npy")
            assert done.stdout.startswith(f"{words[0]}: a.mtx (3, 3), x.npy f".encode()) and done.stdout.count(b"\n") == 1, done.stdout
            assert read((folder / "z.npy").read_bytes()) == (code, False, (3,), {(0,): 392, (1,): -1, (2,): 54})
            run(folder, *words, "--a", "a.mtx", "--x", "x.npy", "--y", "y.npy", "--alpha", "2", "--beta", "-1", "--out", "z.npy")
            assert read((folder / "z.npy").read_bytes()) == (code, False, (3,), {(0,): 783, (1,): -4, (2,): 105})
    (folder / "wide.mtx").write_text(WIDE)
    (folder / "two.npy").write_bytes(npy({(0,): 1, (1,): 2}, (2,)))
    done = run(folder, "spmv", "--a", "wide.mtx", "--transposed", "--x", "two.npy", "--out", "z.npy")
    assert done.stdout.startswith(b"spmv: wide.mtx transposed (3, 2), two.npy f32 (2,) -> z.npy"), done.stdout
    assert read((folder / "z.npy").read_bytes()) == ("<f4", False, (3,), {(0,): -2, (1,): 0, (2,): 13})
    (folder / "f4.npy").write_bytes(npy({(i,): i for i in range(3)}, (3,)))
    (folder / "i4.npy").write_bytes(npy({(i,): i for i in range(3)}, (3,), "<i4"))
    (folder / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 1\n")
    for words, message in [(["--a", "bad.mtx", "--x", "x.npy"], "bad.mtx: line 3: row is '4'; it must be from 1 to 3"),
                           (["--a", "a.mtx", "--x", "two.npy"], "two.npy: holds 2 elements; the matrix has 3 columns"),
                           (["--a", "a.mtx", "--x", "x.npy", "--y", "two.npy"], "two.npy: holds 2 elements; the matrix has 3 rows"),
                           (["--a", "a.mtx", "--x", "x.npy", "--y", "f4.npy"], "f4.npy: holds f32; it must hold f64, as x.npy does"),
                           (["--a", "wide.mtx", "--x", "two.npy"], "two.npy: holds 2 elements; the matrix has 3 columns"),
                           (["--a", "wide.mtx", "--transposed", "--x", "x.npy"],
                            "x.npy: holds 3 elements; the transposed matrix has 2 columns"),
                           (["--a", "wide.mtx", "--transposed", "--x", "two.npy", "--y", "two.npy"],
                            "two.npy: holds 2 elements; the transposed matrix has 3 rows"),
                           (["--a", "a.mtx", "--x", "i4.npy"], "i4.npy: holds i32, which spmv does not take"),
                           (["--a", "a.mtx", "--x", "x.npy", "--beta", "1"], "so the vector that it scales is needed: --y FILE"),
                           (["--a", "a.mtx", "--x", "x.npy", "--alpha", "x"], "--alpha is 'x'"),
                           (["--x", "x.npy"], "--a is required")]:
        error = run(folder, "spmv", *words, "--out", "none.npy", status=2).stderr.decode()
        assert message in error, error
        assert not (folder / "none.npy").exists()


def test_sparse_triangular_solves(folder):
    (folder / "a.mtx").write_text("%%MatrixMarket matrix coordinate real general\n3 3 6\n1 1 2\n2 1 -1\n2 2 4\n3 1 3\n3 3 0.5\n1 3 8\n")
    for code in "<f4", ">f8":
        (folder / "b.npy").write_bytes(npy({(0,): 2, (1,): 3, (2,): 4}, (3,), code))
        done = run(folder, "sptrsv", "--a", "a.mtx", "--b", "b.npy", "--out", "x.npy")
        assert done.stdout.startswith(b"sptrsv: a.mtx (3, 3), b.npy f") and done.stdout.count(b"\n") == 1, done.stdout
        assert read((folder / "x.npy").read_bytes()) == (code, False, (3,), {(0,): 1, (1,): 1, (2,): 2})
        run(folder, "sptrsv", "--a", "a.mtx", "--b", "b.npy", "--upper", "--alpha", "0.5", "--out", "x.npy")
        assert read((folder / "x.npy").read_bytes()) == (code, False, (3,), {(0,): -15.5, (1,): 0.375, (2,): 4})
        run(folder, "sptrsv", "--a", "a.mtx", "--b", "b.npy", "--unit", "--out", "x.npy")
        assert read((folder / "x.npy").read_bytes()) == (code, False, (3,), {(0,): 2, (1,): 5, (2,): -2})
    (folder / "two.npy").write_bytes(npy({(0,): 1, (1,): 2}, (2,)))
    (folder / "i4.npy").write_bytes(npy({(i,): i for i in range(3)}, (3,), "<i4"))
    for name, size, elements in ("zero", "2 2 2", "1 1 1\n2 2 0"), ("none", "2 2 1", "1 1 1"), ("wide", "2 3 2", "1 1 1\n2 2 1"):
        (folder / f"{name}.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\n{size}\n{elements}\n")
    for words, message in [(["--a", "a.mtx", "--b", "two.npy"], "two.npy: holds 2 elements; the matrix has 3 rows"),
                           (["--a", "a.mtx", "--b", "i4.npy"], "i4.npy: holds i32, which sptrsv does not take"),
                           (["--a", "zero.mtx", "--b", "two.npy"], "sptrsv: the diagonal of row 1 is zero, denormal or NaN"),
                           (["--a", "none.mtx", "--b", "two.npy"], "analyse_triangular: row 1 has no element on the diagonal"),
                           (["--a", "wide.mtx", "--b", "two.npy"], "analyse_triangular: cols is 3; it must be 2, as there are rows"),
                           (["--a", "a.mtx", "--b", "b.npy", "--alpha", "x"], "--alpha is 'x'"),
                           (["--b", "b.npy"], "--a is required")]:
        error = run(folder, "sptrsv", *words, "--out", "none.npy", status=2).stderr.decode()
        assert message in error, error
        assert not (folder / "none.npy").exists()


def test_sparse_and_dense_products(folder):
    (folder / "a.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 3 0.5\n3 1 4\n")
    b = {(i, j): v for i, row in enumerate([[1, 0], [10, 1], [100, -2]]) for j, v in enumerate(row)}
    c = {(i, j): i + 1 for i in range(3) for j in range(2)}
    product = [[392, -9], [-1, 0], [54, -1]]
    for code, fortran in ("<f4", False), (">f8", True):
        for name, values in ("b", b), ("c", c):
            (folder / f"{name}.npy").write_bytes(npy(values, (3, 2), code, fortran))
        done = run(folder, "spmm", "--a", "a.mtx", "--b", "b.npy", "--out", "z.npy")
        assert done.stdout.startswith(b"spmm: a.mtx (3, 3), b.npy f") and done.stdout.count(b"\n") == 1, done.stdout
        want = {(i, j): product[i][j] for i, j in b}
        assert read((folder / "z.npy").read_bytes()) == (code, fortran, (3, 2), want)
        run(folder, "spmm", "--a", "a.mtx", "--b", "b.npy", "--c", "c.npy", "--alpha", "2", "--beta", "-1", "--out", "z.npy")
        want = {at: 2 * value - c[at] for at, value in want.items()}
        assert read((folder / "z.npy").read_bytes()) == (code, fortran, (3, 2), want)
    (folder / "two.npy").write_bytes(npy({(i, j): 1 for i in range(2) for j in range(2)}, (2, 2)))
    (folder / "wide.mtx").write_text(WIDE)
    done = run(folder, "spmm", "--a", "wide.mtx", "--transposed", "--b", "two.npy", "--out", "z.npy")
    assert done.stdout.startswith(b"spmm: wide.mtx transposed (3, 2), two.npy f32 (2, 2) -> z.npy"), done.stdout
    want = {(i, j): value for i, value in enumerate([-1, 0, 9]) for j in range(2)}
    assert read((folder / "z.npy").read_bytes()) == ("<f4", False, (3, 2), want)
    (folder / "wide.npy").write_bytes(npy({(i, j): 1 for i in range(3) for j in range(3)}, (3, 3), ">f8"))
    (folder / "f4.npy").write_bytes(npy(c, (3, 2)))
    (folder / "i4.npy").write_bytes(npy(c, (3, 2), "<i4"))
    for words, message in [(["--b", "b.npy", "--transposed"], "b.npy: has 3 rows; the transposed sparse matrix has 2 columns"),
                           (["--b", "two.npy", "--transposed", "--c", "two.npy"],
                            "two.npy: has 2 rows; the transposed sparse matrix has 3 rows")]:
        error = run(folder, "spmm", "--a", "wide.mtx", *words, "--out", "none.npy", status=2).stderr.decode()
        assert message in error, error
        assert not (folder / "none.npy").exists()
    for words, message in [(["--b", "two.npy"], "two.npy: has 2 rows; the sparse matrix has 3 columns"),
                           (["--b", "b.npy", "--c", "two.npy"], "two.npy: has 2 rows; the sparse matrix has 3 rows"),
                           (["--b", "b.npy", "--c", "wide.npy"], "wide.npy: has 3 columns; b.npy has 2"),
                           (["--b", "b.npy", "--c", "f4.npy"], "f4.npy: holds f32; it must hold f64, as b.npy does"),
                           (["--b", "i4.npy"], "i4.npy: holds i32, which spmm does not take"),
                           (["--b", "b.npy", "--beta", "1"], "so the matrix that it scales is needed: --c FILE"),
                           (["--b", "b.npy", "--alpha", "x"], "--alpha is 'x'"),
                           (["--b", "b.npy", "--use", "nothing"], "unknown implementation 'nothing'")]:
        error = run(folder, "spmm", "--a", "a.mtx", *words, "--out", "none.npy", status=2).stderr.decode()
        assert message in error, error
        assert not (folder / "none.npy").exists()


def main():
    for test in [value for name, value in globals().items() if name.startswith("test_")]:
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name))
        print(f"{test.__name__}: all right")


if __name__ == "__main__":
    main()
