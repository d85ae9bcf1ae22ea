// tandem run: one operation on real files. The operations are in run/.

#include <algorithm>
#include <vector>

#include "bench/command/run/run.h"

namespace tandem::command {
namespace {
std::vector<void (*)(CLI::App&)>& commands() {
  static std::vector<void (*)(CLI::App&)> instance;
  return instance;
}
}  // namespace

bool add_run_command(void (*add)(CLI::App& run)) {
  commands().push_back(add);
  return true;
}

Context context_for(const std::string& use) {
  const auto found = use.empty() ? std::vector<const Implementation*>{} : matching(use);
  const bool host = std::any_of(found.begin(), found.end(), [&](const auto* i) {
    return i->place != Place::device && i->name.ends_with(use);
  });
  return host ? Context::host() : Context();
}

void add_use(CLI::App* op, std::string& use) {
  op->add_option("--use", use, "Implementation by its full or partial name; see: tandem list");
}

void add_array_options(CLI::App* op, ArrayOptions& options) {
  op->add_option("--in", options.in, "Array of rank 1 (.npy)")->required();
  op->add_option("--op", options.op, "Operator: " + known_operators())->capture_default_str();
  add_use(op, options.use);
}

void add_run(CLI::App& app) {
  auto* sub = app.add_subcommand("run", "One operation on .npy files");
  sub->require_subcommand(1);
  sub->footer("Example: tandem run OPERATION --help");
  for (const auto add : commands()) add(*sub);
}

}  // namespace tandem::command
