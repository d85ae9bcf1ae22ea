#pragma once
// The subcommands of `tandem`: each file adds its own to the parser and says what to run.

#include <memory>
#include <string>

#include "lib/harness/operation.h"
#include "tandem/npy.h"

namespace CLI {
class App;  // <CLI/CLI.hpp> is slow to compile: only files that add options include it, with common/options.h
}

namespace tandem::command {

enum Exit { kSuccess = 0, kWrongResult = 1, kBadUsage = 2 };

/// Set by the chosen subcommand's callback.
inline int exit_code = kSuccess;

/// All subcommands of this build, and what the program says of itself.
void add_commands(CLI::App& app);

void add_list(CLI::App& app);
void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_compare(CLI::App& app);
void add_audit(CLI::App& app);
void add_tune(CLI::App& app);
void add_generate(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_trace(CLI::App& app);  // only in builds with the executor

/// The contexts of this machine: the host, and the device where there is one.
struct Contexts {
  Contexts();
  Context* of(Place place) { return place == Place::device ? device.get() : &host; }
  Context host;
  std::unique_ptr<Context> device;
};

/// The array of rank 1 in a .npy file; BadFile for any other rank.
NpyArray read_vector(const std::string& path);

/// The array of rank 2 in a .npy file; BadFile for any other rank.
NpyArray read_matrix(const std::string& path);

/// The custom step before this one in its ladder, on the same place; null for the first.
const Implementation* step_before(const Implementation& step);

/// For help texts: what there is, separated by commas.
std::string known_operations();
std::string known_types();
std::string known_operators();
std::string known_extents();  // "rows x cols (OPERATION), …"

}  // namespace tandem::command
