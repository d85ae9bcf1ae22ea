// The tables of `tandem compare`, without a command line to compile. `make compare` shows them in three stages, while what is
// left compiles: tandem_stage1 and tandem_stage2, which have a few operations, and then tandem_rest, which has all.
//   tandem_stageN [--after FILE]… [--json FILE] [SIZE…]    leaves out what the files hold, and writes what it measured

#include <string_view>

#include "bench/command/compare.h"
#include "examples/common/program.h"

int main(int argc, char** argv) {
  tandem::command::CompareOptions options;
  options.repetitions = 3;  // fewer than the command's, since somebody waits for the tables
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--after" && i + 1 < argc)
      options.after.emplace_back(argv[++i]);
    else if (word == "--json" && i + 1 < argc)
      options.json = argv[++i];
    else
      options.n.emplace_back(word);
  }
  return tandem::terminal::run_program(argv[0], "try smaller sizes",
                                       [&] { return tandem::command::compare(options) ? 0 : 1; });
}
