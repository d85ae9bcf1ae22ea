#pragma once
// One trial, every path: the automatic choice and each implementation that takes the call, checked and then
// timed in one shuffled run. What `tandem audit` asks of many trials.

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "lib/harness/operation.h"

namespace tandem::command {

class Paths {
 public:
  struct Path {
    const Implementation* implementation;
    std::string reason;     // why it has no time; empty where it has
    bool wrong = false;     // and the reason says how
    bool hopeless = false;  // and the reason is that it takes many times as long as the fastest
    bool choosable = true;  // the automatic choice may take it
    Timing time;
    /// A vendor's, in full precision.
    bool rival() const { return implementation->path == "vendor"; }
  };

  /// audit: every path that the automatic choice could take, and every library, of those that take the trial, is checked
  /// before it is timed. tune: those alone that the choice could take, and their results are trusted.
  enum class Purpose { audit, tune };
  /// `seconds`: about how long measure() then takes; calls that last longer than their share are repeated less often, but at
  /// least three times.
  Paths(Context& ctx, const Operation& operation, int case_index, const Trial& trial, Method method,
        double seconds, Purpose purpose);
  /// Times the automatic choice and the paths. Again, more often, where a difference may have been chance:
  /// then only those are timed that are no more than twice as slow as the fastest.
  void measure(int repetitions);

  const Choice& choice() const { return choice_; }
  const Timing& automatic() const { return automatic_; }
  const std::vector<Path>& paths() const { return paths_; }
  enum class Among { choices, libraries };
  /// The fastest of the paths that the automatic choice may ever take, or of all libraries'; null where none has a time.
  const Path* fastest(Among among) const;
  bool wrong() const;

 private:
  std::unique_ptr<Problem> problem_;
  Choice choice_;
  Timing automatic_;
  std::vector<Path> paths_;
  double slowness_ = 1;  // how many times as long as it should a repetition takes
  std::function<double()> automatic_sample_;
  std::vector<std::function<double()>> samples_;  // of paths_; empty where they have no time
};

/// InvalidArgument where TANDEM_USE forces a path.
void require_automatic_choice();

}  // namespace tandem::command
