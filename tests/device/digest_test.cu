// The digest by which many runs of a call are compared tells apart what differs in one bit, in the order of two words or in
// length, for words of each size. Compiled in device builds alone; part of the suite `device`.

#include "lib/harness/digest.h"

#include <utility>
#include <vector>

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("device");

TEST_CASE("digests on the device" * doctest::skip(!why_no_device().empty())) {
  Context ctx = Context::device();
  constexpr std::size_t kBytes = 3 << 20;  // several words for each thread
  std::vector<std::uint8_t> bytes(kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<std::uint8_t>(i * i / 7);
  Array<std::uint8_t> there(ctx, kBytes);
  for (const std::size_t word : {1, 2, 4, 8}) {
    CAPTURE(word);
    const auto digest = [&](std::size_t size) {
      ctx.copy(there.data(), bytes.data(), kBytes);
      return detail::digest_on_device(ctx, there.data(), size, word);
    };
    const std::uint64_t whole = digest(kBytes);
    CHECK(digest(kBytes) == whole);
    CHECK(digest(kBytes - word) != whole);
    CHECK(digest(0) == 0);
    for (const std::size_t at : {std::size_t{0}, kBytes / 2, kBytes - 1}) {
      bytes[at] ^= 1;
      CHECK(digest(kBytes) != whole);
      bytes[at] ^= 1;
    }
    const auto exchange = [&] {
      for (std::size_t k = 0; k < word; ++k) std::swap(bytes[k], bytes[kBytes / 2 + 8 + k]);
    };
    exchange();
    CHECK(digest(kBytes) != whole);
    exchange();
    CHECK(digest(kBytes) == whole);
  }
}

TEST_SUITE_END();

}  // namespace tandem
