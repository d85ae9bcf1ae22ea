#pragma once
// The figures of a report's page: pictures with a sentence under each that says how to read it.

#include <string>
#include <utility>
#include <vector>

#include "bench/report/report.h"

namespace tandem::command {

/// Nothing where there is no body, which is HTML. `reading`: how to read it.
std::string captioned(const std::string& title, const std::string& body, const std::string& reading);

/// What is shown of a machine but for its tables and other_cases().
struct Figures {
  std::string against_libraries;
  std::string bounds, ladders;  // shares of the bound over size; each step
  std::string others;
};
/// `changes`: null without a baseline.
Figures figures(const Machine& machine, const Reasons& reasons, const Baseline::Changes* changes);

/// The cases that figures() leaves to the tables: against the libraries.
struct OtherCases {
  std::string begin, end;                                       // of the figure; empty where there are none
  std::vector<std::pair<std::string, std::string>> operations;  // name, rows
};
OtherCases other_cases(const Machine& machine);

}  // namespace tandem::command
