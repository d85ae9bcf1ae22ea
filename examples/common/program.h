#pragma once
// What main() of a program does around its work: the `tandem` command and the larger examples.

#include <functional>

namespace tandem::terminal {

/// Writes what was printed so far. Throws tandem::Error with the system's reason where it cannot be written.
void flush();

/// Runs `work`, which returns an exit status, and returns the status of the program. An exception, or output that
/// cannot be written, is a message on stderr and status 2; `name` starts the messages, and `advice` says what to do
/// where memory is short. Signals that end the program leave no half-written file (file::clean_up_on_signals).
int run_program(const char* name, const char* advice, const std::function<int()>& work);

/// From then on the first SIGINT or SIGTERM asks the work to end soon, with what it has so far, and the next one ends the program,
/// unless it is the same signal at once, as `timeout` sends it. One of a process.
class Interruptible {
 public:
  /// `says`: the line that the first signal prints on stderr, while this lives; null: nothing.
  explicit Interruptible(const char* says);
  Interruptible(const Interruptible&) = delete;
  ~Interruptible();
  bool asked() const;
};
/// The exit status of work that ended so.
inline constexpr int kInterrupted = 130;

/// How many processes mpirun started together; 1 where it did not.
int launched_ranks();

}  // namespace tandem::terminal
