// tandem: list, run, check and compare every implementation of every operation; files to try them with, and
// published tables to hold them against.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "bench/command/command.h"
#include "examples/common/program.h"
#include "lib/core/names.h"
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
    std::vector<std::string> names;
    for (const CLI::App* sub : known) names.push_back(sub->get_name());
    return tandem::unknown_name(level == &app ? "command" : "operation", argv[i], names);
  }
  return {};
}

// "; did you mean '--json'?" of the first word that looks like an option of the chosen command but is none.
std::string meant_option(const CLI::App& app) {
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) level = level->get_subcommands()[0];
  std::vector<std::string> names;
  for (const CLI::Option* option : level->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : app.remaining(true)) {
    if (word.starts_with("--")) return tandem::did_you_mean(word.substr(0, word.find('=')), names);
  }
  return {};
}

int run_command(int argc, char** argv) {
  using namespace tandem;
  char help[] = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {  // help compare: compare --help
    std::rotate(argv + 1, argv + 2, argv + argc);
    argv[argc - 1] = help;
  }
  CLI::App app("Tandem: every operation twice, as a library call and as hand-written kernels, side by side.",
               "tandem");
  terminal::wrap_help(app);
  app.set_version_flag("--version", TANDEM_VERSION_STRING);
  command::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = unknown_subcommand(app, argc, argv); !unknown.empty()) {
      fmt::print(stderr, "tandem: {}\n", unknown);
      return command::kBadUsage;
    }
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "{}{}\nRun with --help for more information.\n", error.what(), meant_option(app));
    return command::kBadUsage;
  }
  return command::exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  return tandem::terminal::run_program("tandem", "try a smaller --n",
                                       [&] { return run_command(argc, argv); });
}
