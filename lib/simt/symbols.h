#pragma once
// Places in the source: numbers for them, and, from the address of an instruction to the line of source it
// comes from, read from the debug information of the running program.

#include <string>

#include "lib/simt/executor.h"
#include "tandem/export.h"

namespace tandem::simt {

/// A number for a source position, the same whenever it comes up, for Access::site; and back. Any OS thread
/// may ask.
std::uint32_t site_number(const CodeSite& site);
TANDEM_API CodeSite code_site(std::uint32_t number);

struct SourceLine {
  std::string file;  // relative to the root of the tree; empty when there is no debug information
  unsigned line = 0;
  bool operator==(const SourceLine&) const = default;
};
/// The source line of a load, store or call site. O(log) after the first of a library, which reads its line
/// table.
TANDEM_API SourceLine source_line(const CodeSite& site);
/// "05_blelloch.cu:49", or the address where there is no debug information.
TANDEM_API std::string show_line(const CodeSite& site);
/// The function's own name: "blelloch_tile", no namespace, template arguments or parameters.
TANDEM_API std::string function_name(const void* address);

}  // namespace tandem::simt
