// Fuzz target: the command line of `tandem`. An input is its words, a line each; nothing is run.

#include <CLI/CLI.hpp>

#include "bench/command/command.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

/// Parses alone: what a subcommand would do is forgotten.
void forget_callbacks(CLI::App& app) {
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    sub->callback({});
    forget_callbacks(*sub);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static CLI::App app("", "tandem");
  static const bool ready = [] {
    command::add_commands(app);
    forget_callbacks(app);
    return true;
  }();
  (void)ready;
  std::vector<std::string> words;  // the last word first, as CLI11 takes them
  std::string word;
  for (std::size_t i = 0; i <= size; ++i) {
    if (i < size && data[i] != '\n') {
      word += static_cast<char>(data[i]);
      continue;
    }
    words.insert(words.begin(), std::move(word));
    word.clear();
  }
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    fuzz::require(error.get_exit_code() != 0 || error.get_name() == "CallForHelp" ||
                      error.get_name() == "CallForAllHelp",
                  "an error has an exit status");
  } catch (const InvalidArgument&) {
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  return {"compare\nreduce\n--n\n64K,16M\n--type\nf32,f64\n--op\nplus,maximum\n--json\nx.json",
          "compare\ngemm\n--shape=4Kx4Kx64\n--method\ncold\n--repetitions\n3\n--seed\n7",
          "check\nscan/custom\n--schedule\nrandom:7\n--coverage\nbrief\n--place\nsimt\n--json",
          "run\nscan\n--in\nx.npy\n--out\ny.npy\n--op\nmaximum\n--exclusive\n--init\n-1e300",
          "run\ntransform\n--f\naxpy\n--alpha\n2\n--in\nx.npy\n--in\ny.npy\n--out\nz.npy",
          "run\nselect\n--in\nx.npy\n--out\ny.npy\n--where\n<=-1e300\n--partition",
          "run\nsort\n--in\nx.npy\n--out\ny.npy\n--values\nv.npy\n--values-out\nw.npy\n--begin-bit\n3",
          "run\nhistogram\n--in\nx.npy\n--lower\n-1\n--upper\n1e9\n--bins\n65536\n--out\n-",
          "run\nsegmented_reduce\n--in\nx.npy\n--offsets\no.npy\n--op\nmaximum\n--out\ny.npy",
          "generate\npostings\n--like\nsmall\n--seed\n18446744073709551615\n--out\ndata",
          "reproduce\nintersection\n--repetitions\n1000",
          "trace\n--compare\nscan/custom/blelloch\nscan/custom/blelloch_padded\n--block\n64\n--force",
          "list\n@simt\n--tunings",
          "--help"};
}
