#pragma once
// Files of posting lists and of queries, as other programs write them.
//
// ExpIndex: little-endian 32-bit words, for each list its length and then its ids, ascending.
// PISA and ds2i's .docs: the same behind a list of one element, the number of documents, which all ids are
// below. ExpQuery: text, one query per line, list numbers (from 0) separated by blanks. A line without a
// number is a query of no list.

#include <string>

#include "tandem/postings.h"

namespace tandem {

enum class IndexFormat { exp_index, pisa_docs };

/// Reads the lists in `path`. Throws BadFile with the byte where a length goes beyond the end, the file ends
/// inside a word, ids do not ascend, or, of pisa_docs, there is no number of documents or an id is not below
/// it. Memory: the file's size for the ids and 8 to 16 bytes for each list that is there. O(size), in one
/// pass.
TANDEM_API Index read_index(const std::string& path, IndexFormat format = IndexFormat::exp_index);

/// Writes the lists. A file that is already there stays as it is until the new one is complete on the disk.
/// Throws BadFile (the system's reason), InvalidArgument (a list of 2^32 ids or more; of pisa_docs, an id of
/// 2^32 − 1). pisa_docs names the smallest number of documents that the ids allow.
TANDEM_API void write_index(const std::string& path, const Index& index,
                            IndexFormat format = IndexFormat::exp_index);

/// Reads the queries in `path` for an index. Throws BadFile with the byte of what is no number or not below
/// index.lists().
TANDEM_API Queries read_queries(const std::string& path, const Index& index);
TANDEM_API void write_queries(const std::string& path, const Queries& queries);

}  // namespace tandem
