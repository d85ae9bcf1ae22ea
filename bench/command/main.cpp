// tandem: list, run, check and compare every implementation of every operation; files to try them with, and
// published tables to hold them against.

#include <fmt/format.h>

#include "bench/command/command.h"
#include "lib/core/type_table.h"
#include "tandem/error.h"

#ifdef TANDEM_HAS_SIMT
#include "lib/simt/executor.h"
#endif

namespace tandem::command {

Contexts::Contexts() : host(Context::host()) {
  if (why_no_device().empty()) device = std::make_unique<Context>(Context::device(0));
}

namespace {
NpyArray read_rank(const std::string& path, std::size_t rank) {
  NpyArray array = read_npy(path);
  if (array.shape.size() != rank) {
    throw BadFile(path,
                  fmt::format("holds an array of rank {}; rank {} is needed", array.shape.size(), rank));
  }
  return array;
}
}  // namespace

NpyArray read_vector(const std::string& path) { return read_rank(path, 1); }
NpyArray read_matrix(const std::string& path) { return read_rank(path, 2); }

std::string known_operations() {
  std::vector<std::string_view> names;
  for (const auto& op : operations()) names.push_back(op->name);
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string known_extents() {
  std::vector<std::string> all;
  for (const auto& op : operations()) {
    if (!op->extents.empty()) all.push_back(fmt::format("{} ({})", op->extents, op->name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}
std::string known_types() {
  std::vector<std::string_view> names;
  for (const Type type : all_types()) names.push_back(name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string known_operators() {
  std::vector<std::string_view> names;
  for (int i = 0; i < static_cast<int>(OperatorId::none); ++i)
    names.push_back(name(static_cast<OperatorId>(i)));
  return fmt::format("{}", fmt::join(names, ", "));
}

void set_schedule([[maybe_unused]] const std::string& text) {
#ifdef TANDEM_HAS_SIMT
  simt::set_schedule(simt::parse_schedule(text));
#endif
}

}  // namespace tandem::command

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

}  // namespace

int main(int argc, char** argv) try {
  using namespace tandem;
  CLI::App app("Tandem: every operation twice, as a library call and as hand-written kernels, side by side.",
               "tandem");
  app.set_version_flag("--version", TANDEM_VERSION_STRING);
  app.require_subcommand(1);
  app.footer("Example: tandem compare reduce --n 64K,16M --type f32");
  command::add_list(app);
  command::add_run(app);
  command::add_check(app);
  command::add_compare(app);
  command::add_generate(app);
  command::add_reproduce(app);
#ifdef TANDEM_HAS_SIMT
  command::add_trace(app);
#endif
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
} catch (const std::bad_alloc&) {
  fmt::print(stderr, "tandem: out of memory on the host; try a smaller --n\n");
  return tandem::command::kBadUsage;
} catch (const std::exception& error) {
  fmt::print(stderr, "tandem: {}\n", error.what());
  return tandem::command::kBadUsage;
}
