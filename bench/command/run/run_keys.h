#pragma once
// --keys of operations by key.

#include "bench/command/run/run.h"
#include "lib/ops/segmented_scan/keys.h"

namespace tandem::command {

/// Calls f.operator()<Key>() for the type of the keys in a file.
template <class F>
void with_keys_of(const InputArray& file, F&& f) {
  if (with_key_type(file.type, f)) return;
  throw BadFile(file.file, fmt::format("holds {}; keys are u32, i32, u64, i64, f32 or f64", name(file.type)));
}

}  // namespace tandem::command
