#pragma once
// Tables, progress, numbers and files as the command prints, reads and writes them: those that the examples use, too.

#include "common/terminal.h"
#include "tandem/file.h"

namespace tandem::command {
using namespace tandem::terminal;
using file::require_writable;
using file::write_file;
}  // namespace tandem::command
