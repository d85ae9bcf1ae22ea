#include "lib/simt/kernel_memory.h"

#include <fmt/format.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tandem::simt {
namespace {

using live_memory::Range;

constexpr std::size_t kMaxStaticBytes = 48 * 1024;

bool inside(const Range& range, const std::byte* address) {
  return address >= range.begin && address < range.end;
}

// Of a thread-local object: what is the same on every OS thread.
SharedLayout::Array thread_local_place(const void* object) {
  struct Search {
    const std::byte* object;
    SharedLayout::Array found{};
  } search{static_cast<const std::byte*>(object)};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* out) {
        auto& [object, found] = *static_cast<Search*>(out);
        const auto* begin = static_cast<const std::byte*>(library->dlpi_tls_data);
        for (int s = 0; begin && s < library->dlpi_phnum; ++s) {
          const auto& segment = library->dlpi_phdr[s];
          if (segment.p_type != PT_TLS || !inside({begin, begin + segment.p_memsz}, object)) continue;
          found = {library->dlpi_tls_modid, object - begin, 0};
          return 1;
        }
        return 0;
      },
      &search);
  return search.found;
}

}  // namespace

Range stack_of_this_thread() {
  static thread_local const Range stack = [] {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return Range{};
    void* begin = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    return Range{static_cast<std::byte*>(begin), static_cast<std::byte*>(begin) + bytes};
  }();
  return stack;
}

KernelMemory::KernelMemory()
    : shared_(static_cast<std::byte*>(std::aligned_alloc(256, (kMaxSharedBytes + 255) / 256 * 256))) {
  if (!shared_) throw OutOfMemory("host", kMaxSharedBytes, 0);
}
KernelMemory::~KernelMemory() { std::free(shared_); }

void KernelMemory::begin_launch(std::uint64_t number, std::size_t dynamic_bytes,
                                const std::vector<Range>& ranges, Range launcher_stack,
                                SharedLayout* common) {
  launch_ = number;
  dynamic_bytes_ = dynamic_bytes;
  own_.bytes = 0;
  layout_ = common ? common : &own_;
  ranges_ = &ranges;
  launcher_stack_ = launcher_stack;
  last_ = {};
}
void KernelMemory::begin_block() {
  // Others may write to an array of a cluster's block before the block itself touches it.
  std::memset(shared_, 0xFF, layout_ == &own_ ? used() : kMaxSharedBytes);
}

// Of an array that this OS thread touches for the first time in the launch: behind the others, or where another block
// has it.
std::size_t KernelMemory::begin_of(const SharedArray& array, std::size_t bytes) {
  SharedLayout::Array in_all{};
  if (layout_ != &own_) {
    in_all = thread_local_place(&array);
    for (const SharedLayout::Array& known : layout_->arrays) {
      if (known.module == in_all.module && known.place == in_all.place) return known.begin;
    }
  }
  in_all.begin = (used() + 15) / 16 * 16;
  layout_->bytes += in_all.begin - used() + bytes;
  if (layout_ != &own_) layout_->arrays.push_back(in_all);
  return in_all.begin;
}

void* KernelMemory::element(SharedArray& array, std::int64_t index, std::int64_t count, std::size_t size,
                            std::string& wrong) {
  if (index < 0 || index >= count) {
    wrong = fmt::format("shared memory index {} is outside [0, {})", index, count);
    return nullptr;
  }
  if (array.launch != launch_) {  // touched for the first time
    const std::size_t bytes = static_cast<std::size_t>(count) * size, begin = begin_of(array, bytes);
    if (layout_->bytes > kMaxStaticBytes || used() > kMaxSharedBytes) {
      wrong = fmt::format(
          "{} bytes of static shared memory and {} of dynamic; a block can have {} static, {} in all",
          layout_->bytes, dynamic_bytes_, kMaxStaticBytes, kMaxSharedBytes);
      return nullptr;
    }
    array = {launch_, shared_ + begin};
    if (layout_ == &own_) std::memset(array.place, 0xFF, bytes);
  }
  return array.place + static_cast<std::size_t>(index) * size;
}

void* KernelMemory::dynamic_element(std::int64_t index, std::size_t size, std::string& wrong) const {
  const auto count = static_cast<std::int64_t>(dynamic_bytes_ / size);
  if (index >= 0 && index < count) return shared_ + static_cast<std::size_t>(index) * size;
  wrong = fmt::format("shared memory index {} is outside [0, {})", index, count);
  return nullptr;
}

KernelMemory::Located KernelMemory::locate(const std::byte* address, std::size_t bytes) {
  const auto offset = std::size_t(address - shared_);
  if (offset < kMaxSharedBytes) {
    if (in_shared(address, bytes)) return {Place::shared, offset, {}};
    return {Place::outside, 0, fmt::format("offset {} of shared memory; the block has {}", offset, used())};
  }
  if (std::ranges::any_of(last_, [&](const Unwatched::Range& r) { return r.holds(address, bytes); }))
    return {Place::global, 0, {}};
  const auto next = std::upper_bound(ranges_->begin(), ranges_->end(), address,
                                     [](const std::byte* a, const Range& r) { return a < r.begin; });
  if (next != ranges_->begin() && address + bytes <= std::prev(next)->end) {
    const Range& found = *std::prev(next);
    last_[oldest_++ % last_.size()] = {found.begin, std::size_t(found.end - found.begin)};
    return {Place::global, 0, {}};
  }
  if (is_host(address)) return {Place::host, 0, {}};
  return {Place::outside, 0, fmt::format("{}, {}", fmt::ptr(address), nearest(address))};
}

std::string KernelMemory::nearest(const std::byte* address) const {
  const Range* best = nullptr;
  const auto distance = [&](const Range& r) {
    return address < r.begin ? r.begin - address : address - r.end;
  };
  for (const Range& r : *ranges_) {
    if (!best || distance(r) < distance(*best)) best = &r;
  }
  if (!best) return "where no array is";
  return fmt::format("{} bytes {} an allocation of {}", distance(*best),
                     address < best->begin ? "before" : "past the end of", best->end - best->begin);
}

// Memory that instrumented code touches without being the kernel's: the stack of the OS thread that launched,
// which holds the arguments, and the static and thread-local data of the loaded libraries.
bool KernelMemory::is_host(const std::byte* address) {
  const auto holds = [&](const Range& r) { return inside(r, address); };
  if (on_launcher_stack(address) || std::any_of(host_.begin(), host_.end(), holds)) return true;
  host_ = {stack_of_this_thread()};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* out) {
        auto& ranges = *static_cast<std::vector<Range>*>(out);
        for (int s = 0; s < library->dlpi_phnum; ++s) {
          const auto& segment = library->dlpi_phdr[s];
          const auto* begin = segment.p_type == PT_LOAD
                                  ? reinterpret_cast<const std::byte*>(library->dlpi_addr + segment.p_vaddr)
                              : segment.p_type == PT_TLS
                                  ? static_cast<const std::byte*>(library->dlpi_tls_data)
                                  : nullptr;
          if (begin) ranges.push_back({begin, begin + segment.p_memsz});
        }
        return 0;
      },
      &host_);
  return std::any_of(host_.begin(), host_.end(), holds);
}

}  // namespace tandem::simt
