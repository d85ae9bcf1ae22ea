#pragma once
// From a folder of text to an index.

#include <cstdint>
#include <string>

#include "text_index.h"

namespace search {

struct BuildOptions {
  std::string folder;
  bool lines = false;  // a document is a line, not a file
};

/// What was found below the folder.
struct BuildReport {
  std::uint64_t files = 0, binary = 0, unreadable = 0, other = 0;  // other: links, devices and the like
  std::uint64_t bytes = 0;                                         // of the files that are text
};

/// Indexes every regular file below the folder that is text, in the order of the paths' bytes, so that the
/// same files give the same index. Links are not followed, and files in the target are left out.
///
/// O(bytes + words log words). Memory: 8 bytes for every pair of a word and a document that has it, 4 for
/// each document, and about 150 for each different word; files themselves are read in pieces. Throws
/// tandem::BadFile (no such folder, no text in it, cannot be written), tandem::InvalidArgument (2^32
/// documents or more).
TextIndex build(const BuildOptions& options, const tandem::file::FolderReplacement& target,
                BuildReport& report);

}  // namespace search
