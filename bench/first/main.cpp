// tandem_first FILE [SIZE…]: the tables of `tandem compare` for the few operations that `make compare` compiles first, so
// that they are seen while the rest is being compiled. FILE is what `tandem compare --after` reads.

#include "bench/command/compare.h"
#include "examples/common/program.h"

int main(int argc, char** argv) {
  tandem::command::CompareOptions options;
  options.repetitions = 5;
  if (argc > 1) options.json = argv[1];
  if (argc > 2) options.n.assign(argv + 2, argv + argc);
  return tandem::terminal::run_program("tandem_first", "try smaller sizes",
                                       [&] { return tandem::command::compare(options) ? 0 : 1; });
}
