#!/usr/bin/env python3
"""Builds a static site from the pages of the tree, with MkDocs: make site, or site.py [FOLDER], build/site unless given.

A page of the site is a page of the tree, at the same place, so that its links hold in both. What a page links to besides is taken along: pictures
as they are, source files as pages that show them, folders as lists of what they hold. A link that leads nowhere, to a file or into a page, fails.
Nothing of the site comes from elsewhere. Exit status 77: there is no MkDocs.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from pages import ROOT

# What the site holds, in the order of its menu. New pages find their place by themselves.
SECTIONS = (("Start", "README.md docs/start.md docs/using.md docs/python.md docs/ranks.md docs/scale.md docs/own_or_library.md"),
            ("Operations", "docs/operations/*.md"),
            ("Ladders", "custom_kernels/*/README.md"),
            ("Your own kernel", "docs/walk.md docs/adding.md docs/trace.md docs/simt.md"),
            ("Examples", "examples/*/README.md docs/channel_flow.md"),
            ("About Tandem", "docs/*.md *.md packaging/*.md"))
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def menu():
    placed, sections = set(), []
    for title, patterns in SECTIONS:
        found = [path for pattern in patterns.split() for path in sorted(ROOT.glob(pattern)) if path not in placed]
        found = list(dict.fromkeys(found))
        placed |= set(found)
        sections.append({title: [str(path.relative_to(ROOT)) for path in found]})
    return sections, placed


def source_page(path):
    """A page that shows a file or a folder that pages link to."""
    name = path.relative_to(ROOT)
    if path.is_dir():
        return f"# {name}\n\n" + "\n".join(f"* `{entry.name}{'/' if entry.is_dir() else ''}`" for entry in sorted(path.iterdir())
                                          if not entry.name.startswith((".", "__"))) + "\n"
    return f"# {name}\n\n~~~~~~~~\n{path.read_text()}\n~~~~~~~~\n"


class Source:
    """The folder that MkDocs reads."""

    def __init__(self, folder, pages):
        self.folder, self.pages, self.shown = folder, pages, set()
        for page in pages:
            self.put(page.relative_to(ROOT), self.converted(page))

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def converted(self, page):
        """A page as MkDocs wants it: a fence has a language and no more, and what is folded is still Markdown."""
        fenced, lines = False, []
        for line in page.read_text().splitlines():
            if line.startswith("```"):
                fenced = not fenced
                line = line.split(" ")[0].replace("```cuda", "```cpp")
            elif not fenced:
                line = LINK.sub(lambda link: link[1] + self.target(page, link[2]) + link[3], line).replace("<details>", "<details markdown='1'>")
            lines.append(line)
        return "\n".join(lines) + "\n"

    def target(self, page, link):
        """Where a link leads on the site; what is there is taken along."""
        path = pathlib.Path(os.path.normpath(page.parent / link))
        if not path.exists() or not path.is_relative_to(ROOT):
            sys.exit(f"{page.relative_to(ROOT)}: the link {link} leads nowhere")
        name = path.relative_to(ROOT)
        if path.is_dir() and path / "README.md" in self.pages:
            name /= "README.md"
        elif path.suffix in (".svg", ".png"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.folder / name)
        elif path not in self.pages:
            name = name / "index.md" if path.is_dir() else name.with_name(name.name + ".md")
            if name not in self.shown:
                self.shown.add(name)
                self.put(name, source_page(path))
        return os.path.relpath(ROOT / name, page.parent)


class Page(html.parser.HTMLParser):
    """The names of the places in a built page, and the links that it holds."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.add(attributes.get("id"))
        self.links |= {attributes[key] for key in ("href", "src") if attributes.get(key)}


def wrong_links(site):
    """Links that lead to no file or to no place in a page; and whatever comes from elsewhere by itself."""
    built = {path: Page(path.read_text()) for path in site.rglob("*.html")}
    for path, page in built.items():
        if path.name == "404.html":  # is shown anywhere
            continue
        for link in page.links:
            target, _, place = link.partition("#")
            if re.match(r"\w+:|//", target):
                continue
            other = pathlib.Path(os.path.normpath(path.parent / target)) if target else path
            other = other / "index.html" if other.is_dir() else other
            if not other.exists() or (place and other in built and place not in built[other].names):
                yield f"{path.relative_to(site)}: {link}"


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    if not shutil.which("mkdocs"):
        print("skipped: there is no mkdocs (Debian's package of that name; make site installs it)")
        sys.exit(77)
    sections, pages = menu()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        source = Source(work / "pages", pages)
        (work / "theme").mkdir()
        shutil.copyfile(ROOT / "tools" / "site.html", work / "theme" / "main.html")
        (work / "mkdocs.yml").write_text(json.dumps({  # JSON is YAML, too
            "site_name": "Tandem", "docs_dir": "pages", "site_dir": str(site), "nav": sections, "strict": True,
            "theme": {"name": None, "custom_dir": "theme"}, "plugins": [],
            "markdown_extensions": ["md_in_html", {"toc": {"permalink": False}}]}))
        subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "-f", work / "mkdocs.yml"], check=True)
    if wrong := list(wrong_links(site)):
        sys.exit("links that lead nowhere:\n" + "\n".join(wrong))
    print(f"{site}: {len(pages)} pages, {len(source.shown)} of sources, all links lead somewhere")


if __name__ == "__main__":
    main()
