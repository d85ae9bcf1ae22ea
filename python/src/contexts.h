#pragma once
// The contexts of each thread, made when first needed and kept until the thread ends: one for the CPU, one
// for each stream of a GPU.

#include <nanobind/nanobind.h>

#include "tandem/context.h"

namespace tandem::python {

Context& host_context();
/// For a stream (cudaStream_t) of device `index`. `owner`: the Python object that owns the stream, null where none does
/// or none is known. Throws Unavailable without a GPU.
Context& device_context(int index, void* stream, nanobind::handle owner = {});
/// What the calling thread's last call computed in; null before its first.
Context*& last_context();
/// Waits for the contexts of the calling thread, while other Python threads run, then throws the first error that a
/// kernel recorded. A stream that its owner has destroyed is left out, with what was recorded there.
void synchronize();

}  // namespace tandem::python
