#pragma once
// The subcommands of `tandem`: each file adds its own to the parser and says what to run.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/options.h"
#include "lib/core/npy_format.h"
#include "lib/harness/operation.h"

namespace tandem::command {

using terminal::Command, terminal::Option;

enum Exit { kSuccess = 0, kWrongResult = 1, kBadUsage = 2 };

/// Set by the chosen subcommand's callback.
inline int exit_code = kSuccess;

/// All subcommands of this build, and what the program says of itself.
void add_commands(Command app);

void add_list(Command app);
void add_run(Command app);
void add_check(Command app);
void add_compare(Command app);
void add_audit(Command app);
void add_tune(Command app);
void add_generate(Command app);
void add_reproduce(Command app);
void add_report(Command app);
void add_trace(Command app);  // only in builds with the executor
void add_completion(Command app);
void add_manual(Command app);

/// Names of options' types: what --help shows, and what tells a shell how to complete a value (completion.cpp).
inline constexpr const char *kFile = "FILE", *kFolder = "FOLDER", *kOperation = "OPERATION",
                            *kImplementation = "IMPLEMENTATION", *kType = "TYPE", *kOperator = "OPERATOR",
                            *kTuning = "TUNING";

/// The contexts of this machine: the host, and the device where there is one.
struct Contexts {
  Contexts();
  Context* of(Place place) { return place == Place::device ? device.get() : &host; }
  Context host;
  std::unique_ptr<Context> device;
};

/// An array that was read, and how its file holds it: a result is written in the same way.
struct InputArray : NpyArray {
  std::string file;  // for messages
  NpyFormat format;

  /// Dimensions as they lie, the last one contiguous: the shape, reversed where the file is in Fortran order.
  std::vector<std::int64_t> extents() const;
  /// The elements in this order, from now on.
  void put_in_order(bool fortran);
  /// "x.npy f32 (2, 3)"
  std::string str() const;
};
/// What a .npy file holds, elements in the order of the file; "-" is standard input. Throws BadFile.
InputArray read_array(const std::string& path);
/// The same, where it may hold complex numbers, too: format.complex says so.
InputArray read_real_or_complex_array(const std::string& path);
/// BadFile for an array of another rank, with what to do about it behind the message.
void require_rank(const InputArray& array, std::size_t rank, const std::string& advice = "");
/// The same of a file that is read.
InputArray read_array(const std::string& path, std::size_t rank, const std::string& advice = "");

/// matching(); where there are none, InvalidArgument with the nearest name.
std::vector<const Implementation*> require_matching(const std::string& pattern);
/// Why an option has no such implementation, with the nearest name.
std::string none_matches(const std::string& option, const std::string& pattern);

/// --csv and --md of a command that prints tables. With --md they are Markdown (terminal::table_form), with --csv
/// `csv` is true, and the command prints nothing but print_csv.
void add_table_options(Command sub, bool& csv,
                       const std::string& csv_help = "As CSV: the rows of --json, in figures");
/// An array of rows as CSV (quoted as RFC 4180 says): columns are the keys of the first row, those of objects within
/// it joined by "_"; lists of numbers stand in one cell, lists of objects are left out. O(size).
void print_csv(const nlohmann::ordered_json& rows, bool with_heading = true);

/// The custom step before this one in its ladder, on the same place; null for the first.
const Implementation* step_before(const Implementation& step);

/// The names of what there is.
std::vector<std::string> operation_names();
std::vector<std::string> type_names();
std::vector<std::string> operator_names();

/// For help texts: the same, separated by commas.
std::string known_operations();
std::string known_types();
std::string known_operators();
std::string operators_of(const Operation& op);
std::string known_extents();  // "rows x cols (OPERATION), …"

}  // namespace tandem::command
