#pragma once
// What module.cpp puts together.

#include <nanobind/nanobind.h>

namespace tandem::python {

/// Each adds the operations of one file to the module.
void add_reductions_and_scans(nanobind::module_& module);
void add_selecting_and_sorting(nanobind::module_& module);
void add_elements_and_matrices(nanobind::module_& module);
void add_sparse(nanobind::module_& module);
void add_sparse_conversions(nanobind::module_& module);
void add_sparse_vectors(nanobind::module_& module);
void add_fourier(nanobind::module_& module);
void add_intersect(nanobind::module_& module);

}  // namespace tandem::python
