#pragma once
// Matrix Market files of sparse matrices (Boisvert, Pozo, Remington 1996, "The Matrix Market exchange formats").

#include <string>

#include "tandem/export.h"
#include "tandem/sparse_rows.h"

namespace tandem {

/// Reads the matrix in `path`: coordinate, of real, integer or pattern (each value 1), general, symmetric or skew-symmetric; of the
/// last two elements below the diagonal give those above it, too, each behind its own. Throws BadFile with the line: of another
/// form (arrays, complex numbers, Hermitian matrices), what is no number, or out of range, more or fewer elements than the file
/// says. Memory is taken only for elements that are there. O(size).
TANDEM_API SparseElements read_matrix_market(const std::string& path);

/// Writes coordinate real general; what is read from there are the same elements, bit for bit. A file that is already there stays as
/// it is until the new one is complete on the disk. Throws InvalidArgument (as by_rows), BadFile (the system's reason).
TANDEM_API void write_matrix_market(const std::string& path, const SparseElements& elements);

}  // namespace tandem
