#pragma once
// What the commands print, and how they read their arguments.

#include <string>
#include <vector>

#include "verify.h"

namespace channel {

/// Rows of cells in aligned columns; the first row is the heading. Numbers stand at the right.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// 1.55 M, 812 k: a rate that people read.
std::string show_rate(double per_second);

/// One line on stderr, in place of the one before, where stderr is a terminal; nothing otherwise.
void show_progress(const std::string& line);

/// "auto", "cpu" or "gpu"; throws tandem::InvalidArgument, or tandem::Unavailable without a GPU.
tandem::Context context_on(const std::string& place);

}  // namespace channel
