#include "lib/harness/guarded.h"

namespace tandem {
namespace {

constexpr std::size_t kZone = 1024;  // bytes on either side

}  // namespace

GuardedBytes::GuardedBytes(Context& ctx, std::int64_t size, int offset, std::size_t element, bool has_nan)
    : backend_(ctx.impl().backend),
      size_(static_cast<std::size_t>(size)),
      element_(element),
      has_nan_(has_nan) {
  const std::size_t shift = static_cast<std::size_t>(offset) * element;
  if (backend_->place() == Place::host) {
    place_between_pages(shift);
  } else {
    begin_ = static_cast<std::byte*>(backend_->allocate(kZone + shift + bytes() + kZone));
    data_ = begin_ + kZone + shift;
    end_ = data_ + bytes() + kZone;
  }
  backend_->expose(data_, bytes());
}

GuardedBytes::~GuardedBytes() {
  backend_->conceal(data_, bytes());
  if (!pages_) backend_->release(begin_, static_cast<std::size_t>(end_ - begin_));
}

void GuardedBytes::poison() {
  guard();
  backend_->fill(data_, 0xFF, bytes());
}

void GuardedBytes::upload(std::span<const std::byte> values) {
  guard();
  backend_->copy(data_, values.data(), values.size());
}

void GuardedBytes::download(void* values) const {
  backend_->copy(values, data_, bytes());
  backend_->synchronize();
}

std::string GuardedBytes::damage() {
  if (!intact(begin_, data_)) return "wrote before the first element";
  if (!intact(data_ + bytes(), end_)) return "wrote past the last element";
  if (const std::byte* touched = pages_ ? pages_->touched() : nullptr) {
    if (touched < data_)
      return "touched memory " + std::to_string(data_ - touched) + " bytes before the first element";
    return "touched memory " + std::to_string(touched - data_ - bytes()) + " bytes past the last element";
  }
  return {};
}

/// As close to the pages behind as the alignment allows, or with the first element as close to those before:
/// of even sizes at even offsets the last element can be the last before a page.
void GuardedBytes::place_between_pages(std::size_t shift) {
  const std::size_t alignment = shift < 16 ? 16 : 64;
  pages_.emplace(bytes() + shift + alignment);
  begin_ = pages_->begin();
  end_ = pages_->end();
  data_ = begin_ + shift;
  if ((size_ + shift / element_) % 2 == 0) {
    const auto room = static_cast<std::size_t>(end_ - data_) - bytes();
    data_ += room / alignment * alignment;
  }
}

void GuardedBytes::guard() {
  if (pages_) pages_->close();
  for (const auto& [from, to] : {std::pair{begin_, data_}, std::pair{data_ + bytes(), end_}}) {
    const std::vector<std::byte> words = guard_words(from, to);
    backend_->copy(from, words.data(), words.size());
    backend_->synchronize();  // before the words end
  }
}

bool GuardedBytes::intact(std::byte* from, std::byte* to) const {
  std::vector<std::byte> zone(static_cast<std::size_t>(to - from));
  backend_->copy(zone.data(), from, zone.size());
  backend_->synchronize();
  return zone == guard_words(from, to);
}

/// What the zones hold shows in any result that it enters: NaN for floating point, numbers near the largest
/// or the smallest for others.
std::vector<std::byte> GuardedBytes::guard_words(const std::byte* from, const std::byte* to) const {
  const auto top = std::byte(has_nan_ ? 0xFF : size_ / 2 % 2 ? 0x7F : 0x80);
  std::vector<std::byte> words(static_cast<std::size_t>(to - from), std::byte{0xF5});
  const std::size_t phase = static_cast<std::size_t>(from - data_) % element_;  // also before data_
  for (std::size_t i = element_ - 1 - phase; i < words.size(); i += element_) words[i] = top;
  return words;
}

}  // namespace tandem
