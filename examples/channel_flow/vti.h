#pragma once
// VTK image data, as ParaView reads it: density, temperature, pressure and velocity at every node.

#include "solver.h"

namespace channel {

/// Replaces the file at `path`. Appended raw data, little-endian, x fastest. Throws tandem::BadFile.
/// O(nodes). Source: "VTK file formats", kitware.
template <class T>
void write_vti(const std::string& path, const Flow& flow, const Fields<T>& fields, double time);

}  // namespace channel
