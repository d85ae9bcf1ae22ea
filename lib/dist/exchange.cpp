#include <algorithm>
#include <cstring>
#include <numeric>

#include "lib/dist/communicator_impl.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

/// What one message of an exchange takes of the blocks of all ranks, at most `most` bytes of each.
struct Slices {
  Slices(const std::vector<std::int64_t>& whole, std::int64_t most) : blocks(whole), most_of_block(most) {
    begins.resize(blocks.size());
    std::exclusive_scan(blocks.begin(), blocks.end(), begins.begin(), std::int64_t{0});
    bytes.resize(blocks.size()), at.resize(blocks.size());
  }
  /// Calls copy(place in the blocks, place in the message, bytes).
  template <class Copy>
  void each(const Copy& copy) const {
    for (std::size_t r = 0; r < blocks.size(); ++r)
      if (bytes[r]) copy(begins[r] + message * most_of_block, at[r], static_cast<std::size_t>(bytes[r]));
  }
  void choose(std::int64_t number) {
    message = number;
    int end = 0;
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      at[r] = end;
      bytes[r] =
          static_cast<int>(std::clamp<std::int64_t>(blocks[r] - number * most_of_block, 0, most_of_block));
      end += bytes[r];
    }
    sum = static_cast<std::size_t>(end);
  }
  std::vector<std::int64_t> blocks, begins;
  std::int64_t most_of_block, message = 0;
  std::vector<int> bytes, at;
  std::size_t sum = 0;
};

}  // namespace

void RanksScope::exchange(const std::byte* from, const std::vector<std::int64_t>& from_bytes, std::byte* to,
                          const std::vector<std::int64_t>& to_bytes, std::int64_t limit) {
  if (on_device()) {
    const auto pieces = [&](std::byte* data, const std::vector<std::int64_t>& bytes) {
      std::vector<Parcel> all;
      for (int r = 0; r < size(); ++r) {
        all.push_back({r, data, bytes[static_cast<std::size_t>(r)]});
        data += all.back().bytes;
      }
      return all;
    };
    return deliver(pieces(const_cast<std::byte*>(from), from_bytes), pieces(to, to_bytes));
  }
  const auto largest = [](const std::vector<std::int64_t>& all) {
    return *std::max_element(all.begin(), all.end());
  };
  const auto of_ranks = impl_.gathered(call_.call, std::max(largest(from_bytes), largest(to_bytes)));
  const std::int64_t most = std::max<std::int64_t>(1, limit / size()),
                     messages = (largest(of_ranks) + most - 1) / most;
  Slices out(from_bytes, most), in(to_bytes, most);
  for (std::int64_t m = 0; m < messages; ++m) {
    out.choose(m), in.choose(m);
    if (messages == 1) {
      all_to_all(from, out.bytes.data(), out.at.data(), to, in.bytes.data(), in.at.data());
      return;
    }
    std::byte* const sent = memory(3, out.sum);
    out.each(
        [&](std::int64_t block, int at, std::size_t bytes) { std::memcpy(sent + at, from + block, bytes); });
    std::byte* const received = memory(4, in.sum);
    all_to_all(sent, out.bytes.data(), out.at.data(), received, in.bytes.data(), in.at.data());
    in.each([&](std::int64_t block, int at, std::size_t bytes) {
      std::memcpy(to + block, received + at, bytes);
    });
  }
}

}  // namespace tandem::detail
