"""What the tools of this folder write into the tree: pages, parts of pages between markers, and pictures. Everything is
collected and stored at the end, by finish(); with --check it is compared with what stands in the tree instead."""

import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
_pages = {}


def write(path, text):
    _pages[path] = text


def read(path):
    return _pages[path] if path in _pages else path.read_text()


def replace(path, marker, text):
    """Puts text between <!-- marker --> and <!-- end -->: on lines of its own, except where both stand on one line."""
    content = read(path)
    found = re.search(rf"(<!-- {re.escape(marker)} -->)(.*?)(<!-- end -->)", content, re.S)
    if not found:
        sys.exit(f"{path}: no marker <!-- {marker} --> … <!-- end -->")
    body = f"\n{text}\n" if "\n" in found[2] else text
    write(path, content[:found.start()] + found[1] + body + found[3] + content[found.end():])


def write_whole(path, text):
    """The file appears whole or not at all, as those of the programs do; a link stays one."""
    path = path.resolve()
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # a name that nobody guesses, no link
    try:
        with open(descriptor, "w") as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def finish():
    if "--check" not in sys.argv:
        for path, text in _pages.items():
            write_whole(path, text)
        return
    stale = [str(path.relative_to(ROOT)) for path, text in _pages.items()
             if not path.exists() or path.read_text() != text]
    if stale:
        sys.exit("not what would be written today (make tables, make pictures): " + ", ".join(stale))
    print(f"{len(_pages)} files are what would be written today")
