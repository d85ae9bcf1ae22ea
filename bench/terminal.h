#pragma once
// Tables, progress, sizes and files as the command prints and writes them: those that the examples use, too.

#include "examples/common/terminal.h"
#include "tandem/file.h"

namespace tandem::command {
using namespace tandem::terminal;
using file::require_writable;
using file::write_file;
}  // namespace tandem::command
