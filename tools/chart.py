"""Small multiples as an SVG: in each panel a few lines over sizes, both axes logarithmic. Legible where it is shown 900 px
wide, on light and dark pages; without classes or ids, so that several can stand in one page."""

import math

WIDTH, PANEL, HEIGHT, COLUMNS = 1000, 250, 210, 4
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 34, 34  # of the plot in its panel
INK, FAINT = "#6e7781", "#8b949e"  # both contrast with white and with near black
STYLES = (("#2f81f7", ""), ("#d97706", " stroke-dasharray='5 3'"), ("#8957e5", " stroke-dasharray='2 2'"))


def text(x, y, words, anchor="middle", size=11, more=""):
    return (f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{INK}'{more}>{words}</text>")


def ticks(low, high):
    """Powers of 2 that span the range, or of 10 where these would be many."""
    base = 2 if high / low <= 64 else 10
    first, last = (round_(math.log(value, base) + nudge) for round_, value, nudge in
                   ((math.floor, low, 0.02), (math.ceil, high, -0.02)))
    return [base ** power for power in range(first, max(last, first + 1) + 1)]


def panel(title, subtitle, lines, label, left, top):
    """`lines`: for each style a dictionary of value by size; `label`: writes a size."""
    sizes = sorted({n for line in lines for n in line})
    values = [value for line in lines for value in line.values()] + [0.8, 1.25]
    marks = ticks(min(values), max(values))
    x0, x1, y0, y1 = left + LEFT, left + PANEL - RIGHT, top + HEIGHT - BOTTOM, top + TOP

    def x(n):
        return x0 + (x1 - x0) * (math.log(n / sizes[0]) / math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 0.5)

    def y(value):
        return y0 + (y1 - y0) * math.log(value / marks[0]) / math.log(marks[-1] / marks[0])

    parts = [text(x0, top + 14, title, "start", 13, " font-weight='bold'"), text(x1, top + 14, subtitle, "end")]
    for mark in marks:
        parts.append(f"<path d='M{x0} {y(mark):.1f}H{x1}' stroke='{FAINT}' stroke-opacity='{0.9 if mark == 1 else 0.35}'/>")
        parts.append(text(x0 - 6, y(mark) + 4, f"{mark:g}×", "end"))
    for n, anchor in {sizes[0]: "start", sizes[-1]: "end"}.items():
        parts.append(text(x(n), y0 + 18, label(n), anchor))
    for line, (colour, dash) in zip(lines, STYLES):
        points = [(x(n), y(value), n, value) for n, value in sorted(line.items())]
        parts.append(f"<path d='M{'L'.join(f'{a:.1f} {b:.1f}' for a, b, *_ in points)}' fill='none' stroke='{colour}' "
                     f"stroke-width='2'{dash}/>" if points else "")
        parts += [f"<circle cx='{a:.1f}' cy='{b:.1f}' r='2.5' fill='{colour}'><title>{label(n)}: {value:.2f}×</title></circle>"
                  for a, b, n, value in points]
    return parts


def legend(names, words, left, top):
    parts = []
    for line, (name, (colour, dash)) in enumerate(zip(names, STYLES)):
        y = top + 50 + 20 * line
        parts += [f"<path d='M{left + 20} {y - 4}h26' stroke='{colour}' stroke-width='2'{dash}/>", text(left + 54, y, name, "start")]
    return parts + [text(left + 20, top + 60 + 20 * len(names) + 16 * line, part, "start") for line, part in enumerate(words) if part]


def draw(panels, names, words):
    """`panels`: arguments of panel() but the place; `names`: of the lines; `words`: lines of text below them."""
    parts = []
    for p in range(len(panels) + 1):
        place = PANEL * (p % COLUMNS), HEIGHT * (p // COLUMNS)
        parts += panel(*panels[p], *place) if p < len(panels) else legend(names, words, *place)
    height = HEIGHT * -(-(len(panels) + 1) // COLUMNS)
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' viewBox='0 0 {WIDTH} {height}' "
            "font-family='Arial,Helvetica,sans-serif'>\n" + "\n".join(filter(None, parts)) + "\n</svg>\n")
