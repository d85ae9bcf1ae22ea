#pragma once
// --offsets and --length of operations over segments.

#include <limits>

#include "bench/command/run/run.h"

namespace tandem::command {

struct SegmentOptions {
  std::string offsets;
  std::int64_t length = 0;

  void add(Command op, const char* offsets_help) {
    add_file(op, "--offsets", offsets, offsets_help);
    op.number("--length", length, "Segments of this length instead, which divides the number of elements", 1,
              std::numeric_limits<std::int64_t>::max())
        .default_str("");
  }
  /// By offsets, which the call checks, or of one length. The n elements come from `file`.
  Segments of(Context& ctx, std::int64_t n, const std::string& file) const {
    if (offsets.empty()) {
      if (n % length != 0) {
        throw InvalidArgument(
            fmt::format("--length is {}; it must divide {}, the number of elements of {}", length, n, file));
      }
      return Segments::equal(n / length, length);
    }
    const InputArray positions = read_array(offsets, 1);
    if (positions.type != Type::i64)
      throw BadFile(positions.file, fmt::format("holds {}; offsets are i64", name(positions.type)));
    return {ctx, positions.as<std::int64_t>()};
  }
};

}  // namespace tandem::command
