#!/usr/bin/env python3
"""The rules of tools/mutation_rules.py change code and nothing else; a mutant is known by its code, not by its line.

Usage: mutation_test.py SOURCE_DIRECTORY
"""

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
from mutate import Mutant, all_mutants, answers, in_order_of, kernel_files  # noqa: E402
from mutation_rules import RULES, Source  # noqa: E402

KERNEL = """#include <vector>
// A comment: i < n, __syncthreads();
namespace tandem {
constexpr int kTile = 32;  // a tuning
template <class T, int kCount = 16 / sizeof(T)>
struct Pack {
  Pack(int n) : n{n}, m(n) { m += 1; }
  int n, m;
};
#ifdef TANDEM_SIMT
inline int executor(int n) { return n + 1; }
#endif
template <class T, class Op>
__device__ T apply(T a, T b, Op op) {
  return op(a, b);
}
template <class T>
__global__ void kernel(const T* in, std::int64_t n, T* out) {
  __shared__ Shared<T, 32> tile;
  const Pack<T> pack = load<T>(in);
  for (int i = threadIdx.x; i < n; ++i) out[i] = Op{}(in[i], "i < n");
  if (n == 0) return;
  __syncthreads();
}
void threads(std::int64_t n) {
  parallel_for(n, {.size = 1 + kTile, .alone = 8}, body);
}
std::string refuses(const Shape& shape) { return shape.n > 7 ? "long" : ""; }
}  // namespace tandem
"""

EXPECTED = {
    ("Pack", "constant", "1", "2"), ("Pack", "constant", "1", "0"), ("Pack", "sign", "+=", "-="),
    ("Pack", "statement", "m += 1;", ";"),
    ("apply", "order", "a, b", "b, a"),
    ("kernel", "boundary", "<", "<="), ("kernel", "tail", "<", "+ 1 <"), ("kernel", "step", "++i", "i += 2"),
    ("kernel", "order", 'in[i], "i < n"', '"i < n", in[i]'),
    ("kernel", "statement", 'out[i] = Op{}(in[i], "i < n");', ";"),
    ("kernel", "early_return", "for", "if (threadIdx.x == 31) return; for"),
    ("kernel", "early_return", "__syncthreads", "if (threadIdx.x == 31) return; __syncthreads"),
    ("kernel", "equality", "==", "!="), ("kernel", "condition", "(n == 0)", "(!(n == 0))"),
    ("kernel", "constant", "0", "1"), ("kernel", "guard", "if (n == 0) return;", ";"),
    ("kernel", "barrier", "__syncthreads();", ";"),
    ("threads", "statement", "parallel_for(n, {.size = 1 + kTile, .alone = 8}, body);", ";"),
}


def require(condition, text):
    if not condition:
        sys.exit(text)


def keys(text):
    source = Source(text)
    return [Mutant("file.cu", source, *change).key for change in source.mutants()]


def main():
    source = Source(KERNEL)
    found = {(f.name, rule, source.cut(first, last), text) for f, rule, first, last, text in source.mutants()}
    require(found == EXPECTED, f"missing: {EXPECTED - found}\nnot expected: {found - EXPECTED}")
    moved = keys("\n\n" + KERNEL.replace("a tuning", "another comment"))
    require(moved == keys(KERNEL), "a mutant is known by its line")
    require(all(rule.__doc__ for rule in RULES.values()), "a rule says nothing about itself")

    mutants = all_mutants(kernel_files())
    names = {mutant.key for mutant in mutants}
    require(len(names) == len(mutants), "two mutants have one key")
    require({mutant.rule for mutant in mutants} == set(RULES), "a rule finds nothing in the ladders")
    require(not answers().keys() - names, f"answers without a mutant: {answers().keys() - names}")
    first = in_order_of(1, mutants)[:300]
    require([m.key for m in first] != [m.key for m in in_order_of(2, mutants)[:300]], "the seed changes nothing")
    for kind, least in (("operation", 8), ("file", 80), ("rule", 18)):
        values = {getattr(mutant, kind) for mutant in first}
        require(len(values) >= least, f"300 mutants are spread over {len(values)} values of {kind} only")
    print(f"{len(mutants)} mutants by {len(RULES)} rules; {len(answers())} are answered")


if __name__ == "__main__":
    main()
