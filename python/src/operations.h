#pragma once
// What module.cpp puts together.

#include <nanobind/nanobind.h>

namespace tandem::python {

void add_operations(nanobind::module_& module);
void add_intersect(nanobind::module_& module);

}  // namespace tandem::python
