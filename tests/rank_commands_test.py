"""tandem check, compare and audit over ranks. Arguments: mpirun, tandem, and the page whose commands are run, too."""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MPIRUN, TANDEM, PAGE = sys.argv[1:4]


def run(ranks, *words, status=0, folder=None):
    done = subprocess.run([MPIRUN, "-n", str(ranks), TANDEM, *words], capture_output=True, text=True, timeout=300, cwd=folder)
    said = done.stdout + done.stderr
    assert done.returncode == status, f"{words}: exit status {done.returncode}\n{said}"
    return said


def main():
    said = run(2, "check")
    assert said.count(" cases executed, 0 wrong") == 1, said  # one rank prints
    for path in ("all_reduce/custom/shared", "all_reduce/vendor/mpi", "gemm, portable bits", "tridiagonal/custom/neighbour"):
        assert path in said, said
    rows = json.loads(run(2, "check", "tridiagonal/custom/split", "--json"))["rows"]
    assert [row["call"] for row in rows] == ["tridiagonal/custom/split"] and rows[0]["cases"] == 50, rows

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "rows.json")
        said = run(2, "compare", "--n", "256", "--repetitions", "2", "--json", str(file))
        assert "x vendor" in said and "efficiency" in said and "WRONG" not in said, said
        told = json.loads(file.read_text())
        assert told["ranks"] == 2, told
        assert {row["operation"] for row in told["rows"]} == {"all_reduce", "reduce", "scan", "transpose", "gemm", "tridiagonal", "intersect"}
        assert not any(row["wrong"] for row in told["rows"])
        commands = re.search(r"```sh tested by rank_commands\n(.*?)```", pathlib.Path(PAGE).read_text(), re.DOTALL)[1]
        for line in commands.splitlines():
            mpirun, n, ranks, tandem, *words = shlex.split(line, comments=True)
            assert (mpirun, n, tandem) == ("mpirun", "-n", "build/tandem"), line
            run(ranks, *words, folder=folder)
    said = run(2, "compare", "gemm", "--shape", "40x20x30", "--type", "f64", "--repetitions", "2", "--csv")
    assert said.startswith("operation,path,type,"), said
    said = run(2, "audit", "--shapes", "1", "--seed", "5")
    assert "tandem audit --seed 5 over 2 ranks" in said, said

    for words, what in (
        (("compare", "spmv"), "unknown call over ranks 'spmv'; known: all_reduce, "),
        (("check", "gem"), "unknown call over ranks 'gem'; known: all_reduce, "),
        (("check", "tridiagonal/custom/spilt"), "did you mean 'tridiagonal/custom/split'"),
        (("compare", "gemm", "--shape", "3x4"), "--shape is '3x4'; a shape of gemm over ranks is rows x cols x k"),
        (("compare", "gemm", "--type", "f16"), "--type is 'f16'; gemm over ranks is measured with f32, f64"),
        (("compare", "gemm", "--method", "cold"), "--method is not known of calls over ranks"),
        (("audit", "gemm", "--method", "graph"), "--method is not known of calls over ranks"),
    ):
        said = run(2, *words, status=2)
        assert what in said, said


if __name__ == "__main__":
    main()
