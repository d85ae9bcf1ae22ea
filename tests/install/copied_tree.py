"""What the tests that add files to the tree share: they work on a copy of it."""

import hashlib
import os
import shutil
import subprocess
import sys


def run(*command, status=0, **options):
    """Runs a command and returns its output; another exit status than expected ends the test."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != status:
        sys.exit(f"{' '.join(command)}\nexited with {done.returncode}, expected {status}:\n{done.stdout}")
    return done.stdout


def require(condition, text):
    if not condition:
        sys.exit(text)


def rows(value):
    """All objects with an implementation, wherever they stand in a JSON document."""
    if isinstance(value, dict):
        if "implementation" in value:
            yield value
        for inner in value.values():
            yield from rows(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from rows(inner)


def files_of_git(folder):
    """Paths, relative to `folder`, of what git knows or does not ignore. Outside a checkout the test is skipped."""
    try:
        command = ["git", "-C", folder, "ls-files", "-z", "-co", "--exclude-standard"]
        names = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        print("skipped: the source tree is no git checkout")
        sys.exit(77)
    return [name for name in names if name and os.path.isfile(os.path.join(folder, name))]


def copy(source, target, names):
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
        shutil.copy2(os.path.join(source, name), os.path.join(target, name))


def contents(folder):
    """The hash of every file below `folder` but those of a build in it, by its relative path."""
    hashes = {}
    for path, folders, names in os.walk(folder):
        if path == folder and "build" in folders:
            folders.remove("build")
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as stream:
                hashes[os.path.relpath(file, folder)] = hashlib.sha256(stream.read()).hexdigest()
    return hashes
