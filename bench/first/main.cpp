// The tables of `tandem compare`, without a command line to compile. `make compare` shows them in two stages, while what
// is left compiles: tandem_first --json FILE [SIZE…], which has a few operations, and then tandem_rest --after FILE [SIZE…],
// which has all, and leaves out what FILE holds.

#include <string_view>

#include "bench/command/compare.h"
#include "examples/common/program.h"

int main(int argc, char** argv) {
  tandem::command::CompareOptions options;
  options.repetitions = 3;  // fewer than the command's, since somebody waits for the tables
  if (argc > 2) (argv[1] == std::string_view("--after") ? options.after : options.json) = argv[2];
  if (argc > 3) options.n.assign(argv + 3, argv + argc);
  return tandem::terminal::run_program(argv[0], "try smaller sizes",
                                       [&] { return tandem::command::compare(options) ? 0 : 1; });
}
