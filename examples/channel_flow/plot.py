"""Draws a slice and the velocity profile of a .vti file that channel_flow wrote, as two PNG files beside it.

python3 plot.py flow.vti [more.vti …]      needs matplotlib and numpy: apt-get install python3-matplotlib
"""

import os
import pathlib
import re
import sys
import xml.etree.ElementTree

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy
except ImportError as error:
    sys.exit(f"plot.py: {error}; install it with: apt-get install python3-matplotlib")

_MARK = b'<AppendedData encoding="raw">\n_'


def read_vti(path):
    """Returns (spacing, {name: array}), arrays indexed [z, y, x] and, for vectors, [z, y, x, component]."""
    content = pathlib.Path(path).read_bytes()
    start = content.find(_MARK)
    if start < 0:
        sys.exit(f"plot.py: {path}: no appended raw data; was it written by channel_flow?")
    data = start + len(_MARK)
    head = xml.etree.ElementTree.fromstring(content[:start] + b"</VTKFile>")
    image = head.find("ImageData")
    extent = [int(n) for n in image.get("WholeExtent").split()]
    spacing = [float(h) for h in image.get("Spacing").split()]
    shape = (extent[5] + 1, extent[3] + 1, extent[1] + 1)
    arrays = {}
    for item in image.iter("DataArray"):
        if item.get("format") != "appended":
            continue
        kind = numpy.dtype("<f" + re.sub(r"\D", "", item.get("type")).replace("32", "4").replace("64", "8"))
        components = int(item.get("NumberOfComponents"))
        at = data + int(item.get("offset"))
        size = int.from_bytes(content[at : at + 8], "little")
        values = numpy.frombuffer(content, kind, size // kind.itemsize, at + 8)
        arrays[item.get("Name")] = values.reshape(shape + ((components,) if components > 1 else ()))
    return spacing, arrays


def save(figure, path):
    """The picture appears whole or not at all."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        figure.savefig(aside, dpi=150, format="png")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def plot(path):
    spacing, arrays = read_vti(path)
    velocity, heat = arrays["velocity"], arrays["temperature"]
    middle = velocity.shape[0] // 2
    source = pathlib.Path(path)
    slice_png, profile_png = (source.with_name(f"{source.stem}_{part}.png") for part in ("slice", "profile"))
    x, y = (numpy.arange(n) * h for n, h in zip(velocity.shape[2:0:-1], spacing))

    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 5), layout="constrained")
    for axis, values, name in ((axes[0], velocity[middle, :, :, 0], "u"), (axes[1], heat[middle], "T")):
        figure.colorbar(axis.pcolormesh(x, y, values, shading="gouraud"), ax=axis, label=name)
        axis.set(ylabel="y", aspect="equal")
    axes[1].set_xlabel("x")
    save(figure, slice_png)

    figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
    for share in (0, 0.25, 0.5, 0.75, 1):
        i = round(share * (len(x) - 1))
        axis.plot(velocity[middle, :, i, 0], y, label=f"x = {x[i]:.3g}")
    axis.set(xlabel="u", ylabel="y")
    axis.legend()
    save(figure, profile_png)
    print(slice_png, profile_png)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        plot(name)
