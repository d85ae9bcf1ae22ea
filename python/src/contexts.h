#pragma once
// The contexts of each thread, made when first needed and kept until the thread ends: one for the CPU, one
// for each stream of a GPU.

#include "tandem/context.h"

namespace tandem::python {

Context& host_context();
/// For a stream (cudaStream_t) of device `index`. Throws Unavailable without a GPU.
Context& device_context(int index, void* stream);
/// What the calling thread's last call computed in; null before its first.
Context*& last_context();
/// Waits for all contexts of the calling thread, then throws the first error that a kernel recorded.
void synchronize();

}  // namespace tandem::python
