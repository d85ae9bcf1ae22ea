// tandem check all_reduce, without mpirun: kernels that store into the memory of other ranks, on the executor.

#include "bench/command/check_ranks.h"

#ifdef TANDEM_HAS_SIMT

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "lib/core/rank_registry.h"
#include "lib/harness/rank_check.h"

namespace tandem::command {

bool check_rank_kernels(const RankKernelsOptions& options) {
  Table table({"implementation", "cases", "wrong", "first wrong case"});
  nlohmann::ordered_json rows = nlohmann::json::array();
  int cases = 0, wrong = 0;
  Progress progress;
  const std::vector<RanksTrial> trials = rank_trials(options.coverage, options.seed);
  for (const Implementation* i : rank_matching(options.pattern)) {
    if (i->place != Place::simt) continue;
    int checked = 0, bad = 0;
    std::string first;
    for (const RanksTrial& trial : trials) {
      progress.show(fmt::format("{}: {}", i->name, trial.str()));
      const std::string found = check_ranks(*i, trial);
      ++checked;
      if (!found.empty() && bad++ == 0) first = trial.str() + ": " + found;
      if (bad > 0 && options.first) break;
    }
    cases += checked, wrong += bad;
    table.add({i->name, std::to_string(checked), std::to_string(bad), first},
              bad ? Colour::bad : Colour::none);
    rows.push_back({{"implementation", i->name}, {"cases", checked}, {"wrong", bad}, {"first_wrong", first}});
    if (bad > 0 && options.first) break;
  }
  progress.clear();
  if (options.json) {
    fmt::print("{}\n", rows.dump(2));
  } else if (options.csv) {
    print_csv(rows);
  } else {
    table.print();
    print_note(
        fmt::format("{} cases executed, {} wrong, by 1 to 5 ranks on the executor; mpirun -n P tandem check "
                    "all_reduce checks the call",
                    cases, wrong));
  }
  if (cases == 0) fmt::print(stderr, "no case was executed\n");
  return wrong == 0 && cases > 0;
}

}  // namespace tandem::command

#endif
