// Fuzz target: numbers, sizes, shapes, lists and names as users type them.

#include <algorithm>
#include <cmath>

#include "common/terminal.h"
#include "tandem/error.h"
#include "tandem/operators.h"
#include "tandem/types.h"
#include "tests/fuzz/target.h"

using namespace tandem;
using namespace tandem::terminal;

namespace {

template <class Parse>
void parse(Parse&& as) {
  try {
    as();
  } catch (const InvalidArgument&) {
  }
}

template <class T>
void parse_as(const std::string& text) {
  parse([&] {
    const T value = parse_number<T>(text, "x");
    if constexpr (std::is_integral_v<T>) {
      std::string digits = std::to_string(value);
      fuzz::require(text.find_first_not_of("+-0123456789") == text.npos &&
                        text.ends_with(digits.substr(digits[0] == '-')),
                    "a whole number is what its digits say");
    } else {
      const bool zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == text.npos;
      fuzz::require(value != 0 || zero, "no number becomes 0");
      fuzz::require(!std::isinf(value) || text.find_first_of("iI") != text.npos,
                    "no number becomes infinite");
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  parse_as<float>(text);
  parse_as<double>(text);
  parse_as<std::int32_t>(text);
  parse_as<std::int64_t>(text);
  parse_as<std::uint64_t>(text);
  parse([&] {
    const std::int64_t n = parse_size(text, "x");
    fuzz::require(n >= 0 && n <= std::int64_t{1} << 42, "a size is at most 4096G");
  });
  parse([&] {
    const auto extents = static_cast<std::ptrdiff_t>(parse_shape(text, "x").size());
    fuzz::require(extents == 1 + std::count(text.begin(), text.end(), 'x'), "an extent between any two x");
  });
  parse([&] {
    for (const std::string& part : parse_list(text, ',', "x"))
      fuzz::require(!part.empty(), "no part is empty");
  });
  parse([&] { fuzz::require(name(parse_type(text)) == text, "a type has its name"); });
  parse([&] { fuzz::require(name(parse_operator(text)) == text, "an operator has its name"); });
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  return {"0",
          "17",
          "-9223372036854775808",
          "18446744073709551615",
          "+2147483647",
          "1e300",
          "1e-46",
          "1e-310",
          "-inf",
          "nan",
          "0.1e-3",
          "1000x2K",
          "64K,16M",
          "4096G",
          "2097152Mx2097152M",
          "f32,f64",
          "plus",
          "1x2x3x4"};
}
