#pragma once
// A run on disk: all that Solver::restore needs to continue with the same bits as an uninterrupted run.

#include "solver.h"

namespace channel {

/// Replaces the file at `path` atomically. Throws tandem::BadFile.
template <class T>
void write_checkpoint(const std::string& path, const Flow& flow, const Fields<T>& fields, std::int64_t steps);

/// Reads what write_checkpoint wrote for this flow and element type; returns the number of steps. Throws
/// tandem::BadFile: no checkpoint, cut short, damaged (checksums of header and data), of another element
/// type, grid or flow; names the first difference.
template <class T>
std::int64_t read_checkpoint(const std::string& path, const Flow& flow, Fields<T>& fields);

}  // namespace channel
