"""What tools/mutate.py changes in a source file: one small rule for each kind of mistake.

A rule is given the source and the number of a token, and yields the mutants that begin there as (first, last, text):
tokens first … last give way to the text. Rules see the bodies of functions alone, and no comment, string or line that
cannot make a result wrong (Source.frozen). The tree is clang-formatted: binary operators stand between blanks, those of
templates, pointers and references do not, and rules rely on it.
"""

import bisect
import re

TOKEN = re.compile(
    r"""(?P<blank>//[^\n]*|/\*.*?\*/|\s+)
      |(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
      |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      |(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
      |(?P<name>[A-Za-z_]\w*)
      |(?P<symbol><<=|>>=|<=>|\.\.\.|::|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL)

SYNCHRONISES = r"#pragma omp (barrier|atomic|critical|single)"  # the only directives that are tokens
# Functions that say what an implementation takes and how far off it may be, not what it computes: those that a row names
# behind such a fact, itself or in a lambda, and of the same names.
NOT_COMPUTING = {"refuses", "suits", "depth", "grid"}
FACT = re.compile(r"\.(?:refuses|suits|depth)\s*=\s*(?:\[\]\([^)]*\)[^{;]*\{\s*return\s+!?(\w+)\(|(\w+))")


def named_by_facts(text):
    return {within or itself for within, itself in FACT.findall(text)}


RULES = {}


def rule(function):
    RULES[function.__name__] = function
    return function


def spread(items, order, key_of_group, *more_keys, path=""):
    """The items, so that those of different groups alternate, within these those of different subgroups, and so on;
    `order` of a path of keys decides which comes first."""
    groups = {}
    for item in items:
        groups.setdefault(key_of_group(item), []).append(item)
    queues = []
    for key in sorted(groups, key=lambda key: order(f"{path}/{key}")):
        queues.append(spread(groups[key], order, *more_keys, path=f"{path}/{key}") if more_keys else groups[key])
    result = []
    while queues:
        result += [queue.pop(0) for queue in queues]
        queues = [queue for queue in queues if queue]
    return result


class Function:
    def __init__(self, name, first, last, kernel):
        self.name, self.first, self.last, self.kernel = name, first, last, kernel  # first, last: the braces


class Source:
    """A file as tokens: s[i] is the text of token i."""

    def __init__(self, text):
        self.text, self.tokens, self.spans = text, [], []
        inactive, conditions = False, []  # by #if: whether its lines are the executor's own, or those of no build here
        for found in TOKEN.finditer(text):
            if found.lastgroup == "directive" and not re.match(SYNCHRONISES, found.group()):
                word = re.match(r"\s*#\s*(\w+)", found.group()).group(1)
                if word.startswith("if"):
                    conditions.append("TANDEM_SIMT" in found.group())
                elif word.startswith("el"):
                    conditions[-1] = True
                elif word == "endif":
                    conditions.pop()
                inactive = any(conditions)
            elif found.lastgroup != "blank" and not inactive:
                self.tokens.append(found.group())
                self.spans.append(found.span())
        self.lines = [0] + [m.end() for m in re.finditer("\n", text)]
        self.match = self._brackets()
        self.functions = list(self._functions())
        self.frozen = self._frozen()

    def __getitem__(self, i):
        return self.tokens[i] if 0 <= i < len(self.tokens) else ""

    def name(self, i):
        return re.fullmatch(r"[A-Za-z_]\w*", self[i]) is not None

    def binary(self, i):
        """True for an operator between blanks."""
        start, end = self.spans[i]
        return self.text[start - 1].isspace() and self.text[end].isspace()

    def line(self, i):
        """The number of the line on which token i begins, from 1."""
        return bisect.bisect_right(self.lines, self.spans[i][0])

    def cut(self, first, last):
        return self.text[self.spans[first][0]:self.spans[last][1]]

    def end_of(self, i, ends):
        """The first token from i on that is one of `ends`, outside brackets; -1 if a bracket closes before."""
        while i < len(self.tokens):
            if self[i] in ends:
                return i
            if self[i] in ")]}":
                return -1
            i = self.match.get(i, i) + 1
        return -1

    def operand(self, i):
        """The last token of the plain operand (n, a.n, C::kTile, 4) that begins at i, -1 if it is not plain."""
        if not re.match(r"\w", self[i]) or self[i] in ("return", "sizeof", "new"):
            return -1
        while self[i + 1] in (".", "->", "::") and self.name(i + 2):
            i += 2
        return i if self[i + 1] not in ("(", "[", "{") and not (self[i + 1] == "<" and not self.binary(i + 1)) else -1

    def operand_before(self, i):
        """The first token of the plain operand that ends at i, -1 if it is not plain."""
        if not re.match(r"\w", self[i]):
            return -1
        while self[i - 1] in (".", "->", "::") and self.name(i - 2):
            i -= 2
        return i if self[i - 1] not in (".", "->", "::", ")", "]") else -1

    def begins_statement(self, i):
        before = self[i - 1]
        if before == ")":
            opened = self.match[i - 1]
            return self[opened - 1] in ("if", "for", "while", "constexpr")
        return before in (";", "{", "}", "else") or before.startswith("#")

    def loop_parts(self, i):
        """Of the `for` at token i: the semicolon before its condition, the one behind it, and the closing bracket."""
        opened = i + 1
        first = self.end_of(opened + 1, ";")
        second = self.end_of(first + 1, ";") if first > 0 else -1
        return (first, second, self.match[opened]) if second > 0 else None

    def _brackets(self):
        match, stack = {}, []
        for i, token in enumerate(self.tokens):
            if token in ("(", "[", "{"):
                stack.append(i)
            elif token in (")", "]", "}"):
                opened = stack.pop()
                match[opened], match[i] = i, opened
        return match

    def _behind_template(self, i):
        depth = 0
        for i in range(i + 1, len(self.tokens)):
            depth += {"<": 1, ">": -1, ">>": -2}.get(self[i], 0)
            if depth <= 0:
                return i + 1
        return i

    def _functions(self):
        head, i = [], 0  # head: tokens of a declaration outside brackets, with "(" for each pair of parentheses
        while i < len(self.tokens):
            token, opened = self[i], i
            if token == "template":
                i = self._behind_template(i)
                continue
            if token in (";", "}"):
                head = []
            elif token in ("(", "["):
                head += token if token == "(" else []
                i = self.match[i]
            elif token == "{":
                initialises = "(" in head and ":" in head and self.name(i - 1)  # a member
                if head and head[0] in ("namespace", "struct", "class", "union"):
                    head = []
                else:
                    i = self.match[i]
                    if "(" in head and "=" not in head and not initialises:
                        named = [a for a, b in zip(head, head[1:]) if b == "(" and not a.startswith(("__", "alignas"))]
                        yield Function(named[0] if named else "", opened, i, "__global__" in head)
                        head = []
            else:
                head.append(token)
            i += 1

    def _frozen(self):
        """Tokens that no rule touches: assertions, named constants (they are tunings, and most change speed alone), how a
        loop is shared out (Pieces, likewise), shared arrays, aliases, and errors."""
        frozen = set()
        for i, token in enumerate(self.tokens):
            named = token == "constexpr" and self[i - 1] != "if"
            if named or token in ("static_assert", "__shared__", "using", "typedef", "throw"):
                frozen.update(range(i, max(i, self.end_of(i, ";")) + 1))
            if token == "." and self[i - 1] in ("{", ",") and self[i + 1] in ("size", "most", "alone"):
                frozen.update(range(i, self.end_of(i, (",", "}"))))
        return frozen

    def mutants(self, left_alone=frozenset()):
        """(function, rule, first, last, text) of every mutant, but of functions that are left alone."""
        for function in self.functions:
            if function.name in NOT_COMPUTING | left_alone:
                continue
            for i in range(function.first + 1, function.last):
                if i in self.frozen:
                    continue
                for name, apply in RULES.items():
                    for first, last, text in apply(self, i):
                        yield function, name, first, last, text


def exchanged(s, i, pairs, binary=True):
    if s[i] in pairs and (not binary or s.binary(i)):
        yield i, i, pairs[s[i]]


@rule
def constant(s, i):
    """A whole number is one larger or one smaller."""
    number = re.fullmatch(r"(0[xX][\da-fA-F]+|\d+)([uUlL]*)", s[i])
    whole_argument = s[i - 1] in ("(", ",") and s[i + 1] in (")", ",")
    if not number or (whole_argument and call_around(s, i) in ("launch", "launch_early")):
        return
    base = 16 if number.group(1).lower().startswith("0x") else 10
    value = int(number.group(1), base)
    for changed in (value + 1, value - 1) if value else (1,):
        yield i, i, (hex(changed) if base == 16 else str(changed)) + number.group(2)


def call_around(s, i):
    """The name of the function among whose arguments token i is."""
    while i > 0 and s[i] not in (";", "{"):
        if s[i] == "(":
            return s[i - 1]
        i = s.match[i] - 1 if s[i] in (")", "]", "}") else i - 1
    return ""


@rule
def boundary(s, i):
    """< for <=, <= for <, > for >=, >= for >."""
    yield from exchanged(s, i, {"<": "<=", "<=": "<", ">": ">=", ">=": ">"})


@rule
def equality(s, i):
    """== for !=, and the other way round."""
    yield from exchanged(s, i, {"==": "!=", "!=": "=="})


@rule
def logical(s, i):
    """&& for ||, and the other way round."""
    yield from exchanged(s, i, {"&&": "||", "||": "&&"})


@rule
def sign(s, i):
    """+ for -, += for -=, and the other way round."""
    yield from exchanged(s, i, {"+": "-", "-": "+", "+=": "-=", "-=": "+="})


@rule
def quotient(s, i):
    """/ for %, and the other way round."""
    yield from exchanged(s, i, {"/": "%", "%": "/"})


@rule
def bits(s, i):
    """& for |, << for >>, and the other way round."""
    yield from exchanged(s, i, {"&": "|", "|": "&", "&=": "|=", "|=": "&=", "<<": ">>", ">>": "<<", "<<=": ">>=",
                                ">>=": "<<="})


@rule
def extreme(s, i):
    """min for max, and the other way round."""
    if s[i + 1] in ("(", "<"):
        yield from exchanged(s, i, {"min": "max", "max": "min"}, binary=False)


@rule
def negation(s, i):
    """A ! or a sign is lost."""
    if s[i] == "!" or (s[i] == "-" and not s.binary(i)):
        yield i, i, ""


@rule
def condition(s, i):
    """An if goes the other way."""
    if s[i] == "if" and s[i + 1] == "(" and s.end_of(i + 2, ";") < 0:
        yield i + 1, s.match[i + 1], f"(!{s.cut(i + 1, s.match[i + 1])})"


@rule
def choice(s, i):
    """The two values of ? : change places."""
    if s[i] == "?":
        colon = s.end_of(i + 1, ":")
        end = colon + 1
        while colon > 0 and s[end] not in (",", ";", ")", "]", "}", ""):
            end = s.match.get(end, end) + 1
        if colon > 0:
            yield i + 1, end - 1, f"{s.cut(colon + 1, end - 1)} : {s.cut(i + 1, colon - 1)}"


@rule
def order(s, i):
    """The two operands of an operator change places."""
    if s[i] == "(" and (s[i - 1] == "op" or (s[i - 3], s[i - 2], s[i - 1]) == ("Op", "{", "}")):  # op(a, b), Op{}(a, b)
        comma, end = s.end_of(i + 1, ","), s.match[i]
        if comma > 0 and s.end_of(comma + 1, ",") < 0:
            yield i + 1, end - 1, f"{s.cut(comma + 1, end - 1)}, {s.cut(i + 1, comma - 1)}"


@rule
def difference(s, i):
    """a - b becomes b - a."""
    if s[i] == "-" and s.binary(i):
        first, last = s.operand_before(i - 1), s.operand(i + 1)
        if first > 0 and last > 0 and s[first - 1] not in ("-", "*", "/", "%") and s[last + 1] not in ("*", "/", "%"):
            yield first, last, f"{s.cut(i + 1, last)} - {s.cut(first, i - 1)}"


@rule
def stride(s, i):
    """A factor is lost: a row's length, a tile's width."""
    if s[i] == "*" and s.binary(i):
        first, last = s.operand_before(i - 1), s.operand(i + 1)
        if last > 0:
            yield i, last, ""
        if first > 0 and s[first - 1] not in ("*", "/", "%"):
            yield first, i, ""


@rule
def step(s, i):
    """A loop takes steps that are one too long."""
    parts = s.loop_parts(i) if s[i] == "for" else None
    if not parts:
        return
    _, second, end = parts
    for k in range(second + 1, end):
        if s[k] == "+=":
            stop = s.end_of(k + 1, ",")
            yield k + 1, k + 1, f"1 + {s[k + 1]}"
        elif s[k] == "++" and s.name(k + 1):
            yield k, k + 1, f"{s[k + 1]} += 2"


@rule
def tail(s, i):
    """A loop ends one too early."""
    parts = s.loop_parts(i) if s[i] == "for" else None
    if not parts:
        return
    for k in range(parts[0] + 1, parts[1]):
        if s[k] in ("<", "<=") and s.binary(k):
            yield k, k, f"+ 1 {s[k]}"


@rule
def barrier(s, i):
    """A barrier is lost."""
    if s[i] in ("__syncthreads", "__syncwarp") and s.begins_statement(i):
        yield i, s.end_of(i, ";"), ";"


@rule
def fence(s, i):
    """A fence is lost."""
    if s[i] in ("__threadfence", "__threadfence_block", "atomic_thread_fence") and s.begins_statement(i):
        yield i, s.end_of(i, ";"), ";"


@rule
def plain_access(s, i):
    """A word that other blocks write is read or written as any other."""
    if s[i] == "load_relaxed" and s[i + 1] == "(":
        yield i, s.match[i + 1], f"*{s.cut(i + 1, s.match[i + 1])}"
    if s[i] == "store_relaxed" and s[i + 1] == "(":
        comma, end = s.end_of(i + 2, ","), s.match[i + 1]
        yield i, end, f"*({s.cut(i + 2, comma - 1)}) = {s.cut(comma + 1, end - 1)}"


@rule
def lanes(s, i):
    """A warp-synchronous call forgets the last lane."""
    if s[i] == "kAllLanes":
        yield i, i, "(kAllLanes >> 1)"


@rule
def epoch(s, i):
    """The number of the call is lost: each is the first."""
    if s[i] == "epoch" and not s.name(i - 1) and s[i + 1] not in ("=", "(") and s[i - 1] not in (".", "->", "&"):
        yield i, i, "1u"


@rule
def statement(s, i):
    """An assignment or a call is lost."""
    keywords = ("return", "if", "for", "while", "do", "else", "break", "continue", "start_early", "wait_for_grid_before")
    if not s.begins_statement(i) or not (s.name(i) or s[i] == "*") or s[i] in keywords or s[i].startswith("__"):
        return
    k = i + 1
    while s[k] in ("::", ".", "->") and s.name(k + 1) or s[i] == "*" and k == i + 1:
        k += 2 if s[k] in ("::", ".", "->") else 1
    if s[k] in ("(", "[", "=", "++", "--") or re.fullmatch(r"([-+*/%&|^]|<<|>>)=", s[k]):
        end = s.end_of(i, ";")
        if end > 0:
            yield i, end, ";"


@rule
def guard(s, i):
    """An early end of a function or of a round of a loop is lost."""
    if s[i] == "if" and s[i + 1] == "(":
        end = s.match[i + 1]
        if s[end + 1] in ("return", "continue", "break") and s[end + 2] == ";" and s[end + 3] != "else":
            yield i, end + 2, ";"


@rule
def early_return(s, i):
    """A thread leaves a kernel before its last loop or barrier."""
    inside = next((f for f in s.functions if f.first < i < f.last), None)
    if inside.kernel and s[i] in ("for", "__syncthreads") and s.begins_statement(i) and s[i - 1] != ")":
        yield i, i, f"if (threadIdx.x == 31) return; {s[i]}"


@rule
def narrow(s, i):
    """A value is kept in too narrow a type: float for the element's, 16 bits for an index of 64 (32 bits are too few
    only beyond 2^31 elements, which tandem check --coverage huge tries)."""
    declares = s.name(i + 1) and s[i + 2] in ("=", ";", "[", "{", ",", ":")
    if s[i] in ("T", "Acc", "double") and declares and (s.begins_statement(i) or s[i - 1] == "const"):
        yield i, i, "float"
    if s[i] == "int64_t" and s[i - 1] == "::" and declares:
        yield i, i, "int16_t"
