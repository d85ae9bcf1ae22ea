"""The code blocks of Markdown pages. Every block is fenced, names its language, and may say behind it how it is tested:

    ```cpp                  a whole program, or statements that are put into a main(); compiled and run
    ```cpp continued        statements that go on where the program before them on the page ends
    ```cpp from FILE        an excerpt: its lines stand in FILE (seen from the page's folder), one after the other
    ```cuda                 compiled as the executor compiles kernels, but not run
    ```python               a program, run where the Python package is built; continued as above
    ```sh                   lines for a shell, each run by itself in the page's folder
    ```LANGUAGE file NAME   is put into the file NAME of the page's folder, for the lines of a shell that follow
    ```text                 a formula, a message, a layout; nothing to test
    ```text printed         what the block before it prints; … stands for anything

and where this page's test cannot run it, why: `needs WHAT`, `takes HOW LONG`, or `tested by TEST`, the name of another test.
"""

import dataclasses
import os
import pathlib
import re
import subprocess

TAGS = {"cpp": r"|continued|from \S+|file \S+|tested by \w+", "cuda": r"|file \S+|tested by \w+",
        "python": r"|continued|file \S+|tested by \w+", "sh": r"|needs .+|takes .+|tested by \w+", "cmake": r"tested by \w+",
        "text": r"|printed"}


class BadPage(Exception):
    pass


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of its first line of code
    language: str
    tag: str
    text: str

    def where(self):
        return f"{self.page}:{self.line}"

    def left_out(self):
        return re.match(r"needs|takes|tested by", self.tag)


def blocks_of(page):
    """All blocks of a page. BadPage where a block does not say what it is."""
    found, opened, before = [], None, ""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if opened:
            if line == "```":
                found.append(Block(page, *opened[:3], "\n".join(opened[3]) + "\n"))
                opened = None
            else:
                opened[3].append(line)
        elif line.lstrip().startswith("```"):
            fence = re.fullmatch(r"```(\w+)(?: (.+))?", line)
            if not fence or fence[1] not in TAGS or not re.fullmatch(TAGS[fence[1]], fence[2] or ""):
                raise BadPage(f"{page}:{number}: '{line}' does not say what the block is; see tests/code_blocks.py")
            opened = [number + 1, fence[1], fence[2] or "", []]
        elif line.startswith("    ") and not before:
            raise BadPage(f"{page}:{number}: an indented block; fence it, and name its language")
        before = line
    if opened:
        raise BadPage(f"{page}:{opened[0]}: the block has no end")
    return found


def shows(printed, output):
    """Whether the lines of a `text printed` stand in the output, in their order. … stands for anything, blanks for any blanks."""
    lines = [re.sub(r"(\\ )+", r"\\s+", re.escape(line.strip())).replace("…", ".*") for line in printed.splitlines() if line.strip()]
    rest = iter(output.splitlines())
    return all(any(re.fullmatch(line, other.strip()) for other in rest) for line in lines)


def run_shell(blocks, folder, tag, environment, command_of):
    """Goes through the blocks of a page in a folder: runs the lines of those for a shell that have this tag, writes its files, and compares
    what is printed. command_of(line) is what runs instead. Yields what is wrong."""
    output = None
    for block in blocks:
        if block.tag.startswith("file "):
            (folder / block.tag.split()[1]).write_text(block.text)
        elif block.tag == "printed":
            if output is not None and not shows(block.text, output):
                yield f"{block.where()}: does not stand in what the lines before it print:\n{output[-4000:]}"
        elif block.language == "sh":
            output = "" if block.tag == tag else None
            for line in block.text.splitlines() if block.tag == tag else ():
                command = command_of(line)
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env={**os.environ, **environment},
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                output += done.stdout
                if done.returncode:
                    yield f"{block.where()}: {line}\nrun as: {command}\nexit status {done.returncode}:\n{done.stdout[-4000:]}"
        else:
            output = None
