#!/usr/bin/env python3
"""What bash and zsh complete with the scripts of tandem completion, and that man reads the page of tandem manual without a complaint.

Usage: completion_test.py TANDEM
A shell that this machine lacks is left out, and said to be.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

tandem = os.path.abspath(sys.argv[1])


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=60, **options)


def completed(script, line):
    """What bash offers at the end of a line, which it splits at blanks and at "="."""
    words = line.replace("=", " = ").split() + ([""] if line[-1] in " =" else [])
    if line.endswith("="):
        words.pop()
    program = f"{script}\ncompopt() {{ :; }}\nCOMP_WORDS=({' '.join(map(repr, words))}) COMP_CWORD={len(words) - 1}\n_tandem\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    return output("bash", "-c", program).stdout.split()


def test_bash():
    script = output(tandem, "completion", "bash").stdout
    for line, wanted in [
        ("tandem chec", ["check"]),
        ("tandem compare sca", ["scan"]),
        ("tandem compare scan --meth", ["--method"]),
        ("tandem compare scan --method ", ["hot", "cold", "graph", "host", "behind", "pageable", "pinned", "managed"]),
        ("tandem compare scan --method=c", ["cold"]),
        ("tandem compare --type f32,f6", ["f32,f64"]),
        ("tandem compare --repetitions ", []),
        ("tandem check scan/custom/look", ["scan/custom/lookback"]),
        ("tandem run tridia", ["tridiagonal"]),
        ("tandem run scan --use scan/custom/blelloch_", ["scan/custom/blelloch_padded"]),
        ("tandem run scan --exc", ["--exclusive"]),
        ("tandem completion z", ["zsh"]),
        ("tandem list --", ["--help", "--json", "--csv", "--md", "--tunings"]),
    ]:
        assert completed(script, line) == wanted, (line, completed(script, line))
    assert "completion_test.py" in completed(f"cd {os.path.dirname(os.path.abspath(__file__))}\n{script}", "tandem run scan --in comp")
    # Every subcommand and every option of every --help is offered.
    for command in [["compare"], ["audit"], ["tune"], ["reproduce"], ["run", "gemm"], ["run", "intersect"], ["generate", "postings"]]:
        offered = completed(script, f"tandem {' '.join(command)} --")
        for line in output(tandem, *command, "--help").stdout.splitlines():
            if line.startswith("  --"):
                assert line.split()[0] in offered, (command, line, offered)


def test_zsh():
    script = output(tandem, "completion", "zsh").stdout
    output("zsh", "-n", input=script)
    # A terminal of zsh's own, in which it completes at the press of a key.
    program = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= ; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' menu no; bindkey '^I' complete-word; print ready"
zpty -r shell answer '*ready*ready*'
zpty -w -n shell "$2"$'\t'
sleep 1
zpty -w -n shell $'\n'
zpty -r shell answer "*not found: tandem*" && print -r -- $answer
zpty -d shell
"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "_tandem"), "w") as file:
            file.write(script)
        for line, wanted in [
            ("tandem chec", "tandem check"),
            ("tandem compare --metho", "--method="),
            ("tandem compare --method=col", "--method=cold"),
            ("tandem compare --type=f32,f6", "f32,f64"),
            ("tandem check scan/custom/look", "scan/custom/lookback"),
            ("tandem run tridia", "tandem run tridiagonal"),
            ("tandem run scan --exc", "--exclusive"),
        ]:
            done = output("zsh", "-fc", program, "zsh", folder, line, env={**os.environ, "PATH": "/usr/bin:/bin"})
            assert wanted in re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", done.stdout), (line, wanted, done)


def test_man():
    page = output(tandem, "manual").stdout
    for wanted in [".TH TANDEM 1", ".SS \"tandem compare\"", ".SS \"tandem run scan\"", "\\-\\-repetitions", ".SH EXIT STATUS"]:
        assert wanted in page, wanted
    done = output("man", "--warnings", "-E", "UTF-8", "-l", "-", input=page, env={**os.environ, "MANWIDTH": "80"})
    assert done.stderr == "", done.stderr
    assert "--repetitions" in done.stdout


def main():
    for program, test in [("bash", test_bash), ("zsh", test_zsh), ("man", test_man)]:
        if shutil.which(program):
            test()
            print(f"{program}: all right")
        else:
            print(f"{program}: left out, as it is not on this machine")


if __name__ == "__main__":
    main()
