// tandem: list, run, check and compare every implementation of every operation; files to try them with, and
// published tables to hold them against.

#include <fmt/format.h>

#include "bench/command/command.h"
#include "common/options.h"
#include "examples/common/program.h"
#include "tandem/error.h"

namespace {

// "unknown command 'foo'; known: …" when the first word at some level names no subcommand, which CLI11 does
// not say.
std::string unknown_subcommand(const CLI::App& app, int argc, char** argv) {
  const CLI::App* level = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const auto known = level->get_subcommands([](const CLI::App*) { return true; });
    if (known.empty()) return {};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](auto* sub) { return sub->get_name() == argv[i]; });
    if (found != known.end()) {
      level = *found;
      continue;
    }
    std::string names;
    for (const CLI::App* sub : known) names += (names.empty() ? "" : ", ") + sub->get_name();
    return fmt::format("unknown {} '{}'; known: {}", level == &app ? "command" : "operation", argv[i], names);
  }
  return {};
}

int run_command(int argc, char** argv) {
  using namespace tandem;
  CLI::App app("Tandem: every operation twice, as a library call and as hand-written kernels, side by side.",
               "tandem");
  app.set_version_flag("--version", TANDEM_VERSION_STRING);
  command::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = unknown_subcommand(app, argc, argv); !unknown.empty()) {
      fmt::print(stderr, "tandem: {}\n", unknown);
      return command::kBadUsage;
    }
    return app.exit(error) == 0 ? command::kSuccess : command::kBadUsage;
  }
  return command::exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  return tandem::terminal::run_program("tandem", "try a smaller --n",
                                       [&] { return run_command(argc, argv); });
}
