#!/usr/bin/env python3
"""Starts a step of a ladder from its neighbour: make new OP=scan NAME=mine [FROM=lookback].

Copies a step of custom_kernels/OP under the next number and its new name, and leaves its opening comment to be written. Without FROM
it is the ladder's first kernel, a simple one for any GPU and the executor, unless its work is quadratic, as its file then says:
checks of that take minutes. The copy computes what its neighbour does: change it, and see with `make kernel K=OP/custom/NAME`.
"""

import argparse
import re
import sys
from pathlib import Path

from pages import write_whole

LADDERS = Path(__file__).resolve().parent.parent / "custom_kernels"


def steps(operation):
    """Number, name and path of each step of a ladder."""
    found = []
    for path in sorted((LADDERS / operation).glob("[0-9][0-9]_*.c*")):
        number, name = re.fullmatch(r"(\d\d)_([a-z0-9_]+)", path.name.split(".")[0]).groups()
        found.append((int(number), name, path))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("operation")
    parser.add_argument("name")
    parser.add_argument("neighbour", nargs="?", default="")
    arguments = parser.parse_args()
    operations = sorted(p.name for p in LADDERS.iterdir() if p.is_dir())
    if arguments.operation not in operations:
        sys.exit(f"unknown operation '{arguments.operation}'; known: {', '.join(operations)}")
    ladder = steps(arguments.operation)
    names = [name for _, name, _ in ladder]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", arguments.name):
        sys.exit(f"'{arguments.name}': a step's name is in lower case: letters, digits and _, a letter first")
    if arguments.name in names:
        sys.exit(f"{arguments.operation}/custom/{arguments.name} exists already")
    simple = next(name for _, name, path in ladder if path.suffix == ".cu" and "quadratic" not in path.read_text())
    neighbour = arguments.neighbour or simple
    if neighbour not in names:
        sys.exit(f"unknown step '{neighbour}'; known: {', '.join(names)}")
    _, _, source = ladder[names.index(neighbour)]
    body = re.sub(r"\A(//.*\n)+", "", source.read_text())  # without its opening comment
    # The launcher and its registration carry the name of the step.
    body, launchers = re.subn(rf"\bvoid {neighbour}\(", f"void {arguments.name}(", body)
    body, registered = re.subn(rf"(REGISTER\(\s*\w+,\s*){neighbour}\b", rf"\g<1>{arguments.name}", body)
    if not launchers or not registered:
        sys.exit(f"{source}: no launcher and registration named {neighbour}; start from another step")
    # So does what it keeps in a context.
    body = body.replace(f'"{arguments.operation}/{neighbour}"', f'"{arguments.operation}/{arguments.name}"')
    comment = "".join(f"// {label:<8} {text}\n" for label, text in (
        ("Idea:", "what it does, in a sentence."), ("New:", f"against {neighbour}, the one thing that is different."),
        ("Expect:", "what theory says: bytes, sectors, instructions, launches."), ("Limits:", "what it cannot do, and where it is slow."),
        ("Source:", "where the idea is from.")))
    suffix = source.name.split(".", 1)[1]
    path = LADDERS / arguments.operation / f"{ladder[-1][0] + 1:02}_{arguments.name}.{suffix}"
    write_whole(path, comment + body)
    where = f"{path.relative_to(LADDERS.parent)}"
    print(f"{where}: as {neighbour}; next: edit it, then make kernel K={arguments.operation}/custom/{arguments.name}")
    if not arguments.neighbour:
        print(f"which is a simple kernel; from another step: FROM={', '.join(name for name in names if name != neighbour)}")


if __name__ == "__main__":
    main()
