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

/// How many processes mpirun started together; 1 where it did not.
int launched_ranks();

}  // namespace tandem::terminal
