#pragma once
// Tandem's exceptions, raised as those of tandem/_errors.py.

namespace tandem::python {

/// From here on C++ exceptions of Tandem become Python's.
void translate_errors();

}  // namespace tandem::python
