#pragma once
// Checks of arguments that every operation needs; each throws InvalidArgument naming operation, argument and
// limit.

#include <cstdint>

#include "tandem/matrix.h"

namespace tandem::require {

/// Size not negative, bytes below 2^63, pointer not null when there are elements and a multiple of
/// `alignment` (the size of an element unless given), no host memory in a device context. Lends the memory to
/// the call.
TANDEM_API void array(Context& ctx, const char* operation, const char* argument, const void* data,
                      std::int64_t size, std::size_t element_bytes, std::size_t alignment = 0);
/// The output (or a further input) needs as many elements as the input.
TANDEM_API void same_size(const char* operation, std::int64_t in, std::int64_t out,
                          const char* in_name = "in", const char* out_name = "out");
/// In place (same start) is fine where `exact_alias_allowed`; any other overlap is not.
TANDEM_API void overlap(const char* operation, const void* in, std::size_t in_bytes, const void* out,
                        std::size_t out_bytes, bool exact_alias_allowed, const char* in_name = "in",
                        const char* out_name = "out");

/// Rows and columns not negative, a known layout, a leading dimension of at least a line, and what
/// require::array asks.
TANDEM_API void matrix(Context& ctx, const char* operation, const char* argument,
                       const MatrixView<const std::byte>& a, std::size_t element_bytes,
                       std::size_t alignment = 0);
/// The two share no element. Parts of one larger matrix may alternate in memory: with equal leading
/// dimensions and layouts they are told apart exactly, otherwise by the first and the last byte.
TANDEM_API void apart(const char* operation, const char* argument_a, const MatrixView<const std::byte>& a,
                      const char* argument_b, const MatrixView<const std::byte>& b,
                      std::size_t element_bytes);

}  // namespace tandem::require
