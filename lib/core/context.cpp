#include "tandem/context.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lib/core/context_impl.h"
#include "tandem/error.h"

namespace tandem {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr unsigned char kCanary = 0xF5;            // large in any floating-point type
constexpr const char* kUnfinished = "unfinished";  // key of a block that nobody may use yet

std::size_t rounded_bytes(std::int64_t count, std::size_t size) {
  std::size_t bytes;
  if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), size, &bytes) ||
      bytes > SIZE_MAX - kAlignment) {
    throw InvalidArgument("workspace: " + std::to_string(count) + " elements of " + std::to_string(size) +
                          " bytes overflow");
  }
  return std::max<std::size_t>(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

Context::Context()
    : Context(detail::translated([] { return why_no_device().empty(); }) ? device() : host()) {}
Context Context::host(Allocator* allocator) {
  return detail::translated([&] { return Context(new Impl(make_host_backend(allocator))); });
}
Context Context::device(int index, void* stream, Allocator* allocator) {
  return detail::translated([&] { return Context(new Impl(make_device_backend(index, stream, allocator))); });
}
Context Context::managed(int index) {
  return detail::translated([&] { return Context(new Impl(make_managed_backend(index))); });
}
Context::Context(Context&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Context& Context::operator=(Context&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Context::~Context() { delete impl_; }

Place Context::place() const { return impl().backend->place(); }
std::string Context::description() const {
  return detail::translated([&] { return impl().backend->description(); });
}
void Context::synchronize() {
  detail::translated([&] { impl().backend->synchronize(); });
}
LastCall Context::last() const { return impl().last; }
void* Context::stream() const { return impl().backend->stream(); }
int Context::multiprocessors() const { return impl().backend->multiprocessors(); }
int Context::architecture() const { return impl().backend->architecture(); }
void Context::copy(void* to, const void* from, std::size_t bytes) { impl().backend->copy(to, from, bytes); }
void Context::fill(void* memory, int byte, std::size_t bytes) { impl().backend->fill(memory, byte, bytes); }
std::size_t Context::allocations() const { return impl().blocks.size(); }
void* Context::scratch_bytes(std::int64_t count, std::size_t size) {
  return detail::translated([&] { return impl().scratch(count, size); });
}
void* Context::state_bytes(std::string_view key, std::int64_t count, std::size_t size) {
  return detail::translated([&] { return impl().state(key, count, size); });
}
Context::Kept& Context::kept(std::string_view key) {
  for (auto& [name, object] : impl().kept) {
    if (name == key) return object;
  }
  return detail::translated([&]() -> Kept& {
    return impl().kept.emplace_back(key, Kept{nullptr, nullptr}).second;
  });
}

void Context::refuse_moved_from() {
  throw InvalidArgument("Context: was moved from; assign it a new one before it is used");
}

Context::Impl::Impl(std::shared_ptr<Backend> made) : backend(std::move(made)) {
  if (const char* use = std::getenv("TANDEM_USE")) forced = use;
}

Context::Impl::~Impl() {
  backend->forget_checks();  // they look at memory that ends here
  for (auto& [key, object] : kept) {
    if (object.object) object.destroy(object.object);  // may use what follows
  }
  for (const Block& block : blocks) {
    if (!block.key.empty()) backend->conceal(block.memory, block.bytes);  // scratch is exposed piece by piece
    backend->release(block.memory, block.bytes);
  }
}

// A block to replace an outgrown one has at least twice its size, so that slowly growing calls take few
// blocks.
std::byte* Context::Impl::take(std::size_t bytes, std::string_view key) {
  for (const Block& block : blocks) {
    if (block.key == key) bytes = std::max(bytes, 2 * block.bytes);
  }
  blocks.reserve(blocks.size() + 1);  // so that nothing can throw between allocating and noting it
  auto* memory = static_cast<std::byte*>(backend->allocate(bytes));
  blocks.push_back({memory, bytes, kUnfinished});
  return memory;
}

void* Context::Impl::scratch(std::int64_t count, std::size_t size) {
  const std::size_t guard = poison_scratch ? kAlignment : 0;
  const std::size_t bytes = rounded_bytes(count, size) + guard;
  while (current < blocks.size() &&
         (!blocks[current].key.empty() || blocks[current].bytes - offset < bytes)) {
    ++current;
    offset = 0;
  }
  if (current == blocks.size()) {
    offset = 0;
    take(bytes, "");
    blocks.back().key = "";
  }
  std::byte* memory = blocks[current].memory + offset;
  offset += bytes;
  if (poison_scratch) {
    const std::size_t used = static_cast<std::size_t>(count) * size;
    backend->fill(memory, 0xFF, used);
    backend->fill(memory + used, kCanary, bytes - used);
    canaries.push_back({memory + used, bytes - used});
  }
  if (on_executor) {
    lend(memory, static_cast<std::size_t>(count) * size);
    expose_lent();
  }
  return memory;
}

std::string Context::Impl::scratch_damage() {
  for (std::size_t piece = 0; piece < canaries.size(); ++piece) {
    std::vector<std::byte> now(canaries[piece].bytes);
    backend->copy(now.data(), canaries[piece].memory, now.size());
    backend->synchronize();
    if (std::any_of(now.begin(), now.end(), [](std::byte b) { return b != std::byte{kCanary}; }))
      return "wrote past the end of piece " + std::to_string(piece) + " of its scratch";
  }
  return {};
}

std::vector<std::span<const std::byte>> Context::Impl::scratch_contents(std::size_t most) const {
  std::vector<std::span<const std::byte>> contents;
  for (std::size_t b = 0; b <= current && b < blocks.size(); ++b) {
    if (!blocks[b].key.empty()) continue;
    const std::size_t used = std::min(b == current ? offset : blocks[b].bytes, most);
    contents.emplace_back(blocks[b].memory, used);
    most -= used;
  }
  return contents;
}

void* Context::Impl::state(std::string_view key, std::int64_t count, std::size_t size) {
  const std::size_t bytes = rounded_bytes(count, size);
  for (const Block& block : blocks) {
    if (block.bytes >= bytes && block.key == key) return block.memory;
  }
  std::byte* memory = take(bytes, key);
  backend->fill(memory, 0, blocks.back().bytes);
  backend->expose(memory, blocks.back().bytes);
  blocks.back().key = key;  // from here on it is found
  return memory;
}

void Context::Impl::begin_call(LastCall call, Place place) {
  last = call;
  current = offset = 0;
  canaries.clear();
  on_executor = place == Place::simt;
  try {
    if (on_executor) expose_lent();
    backend->enter(last.implementation.data());
  } catch (...) {
    conceal_lent();
    throw;
  }
}

void Context::Impl::end_call() noexcept {
  conceal_lent();
  backend->leave();
}

void Context::Impl::expose_lent() {
  for (; exposed < lent.size(); ++exposed) backend->expose(lent[exposed].memory, lent[exposed].bytes);
}

void Context::Impl::conceal_lent() noexcept {
  for (; exposed > 0; --exposed) backend->conceal(lent[exposed - 1].memory, lent[exposed - 1].bytes);
  lent.clear();
  on_executor = false;
}

void Context::Impl::lend(const void* memory, std::size_t bytes) { lent.push_back({memory, bytes}); }

detail::Lending::~Lending() { impl_.forget_lent(); }

CallScope::CallScope(Context& ctx, std::string_view name, Place place) : impl_(ctx.impl()) {
  detail::translated([&] {
    if ((place == Place::device) != (ctx.place() == Place::device)) {
      throw Unavailable(std::string(name) + ": runs on the " + tandem::name(place) +
                        ", but the context computes on the " + tandem::name(ctx.place()));
    }
    impl_.begin_call({name, "a kernel of the caller's own"}, place);
  });
}
CallScope::~CallScope() { impl_.end_call(); }

}  // namespace tandem
