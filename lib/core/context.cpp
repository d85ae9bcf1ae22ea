#include "tandem/context.h"

#include <algorithm>
#include <utility>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr std::size_t kAlignment = 256;
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
    : Context(why_no_device().empty() ? make_device_backend(0, nullptr) : make_host_backend()) {}
Context::Context(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
Context Context::host(Allocator allocator) { return Context(make_host_backend(std::move(allocator))); }
Context Context::device(int index, void* stream, Allocator allocator) {
  return Context(make_device_backend(index, stream, std::move(allocator)));
}
Context Context::managed(int index) { return Context(make_managed_backend(index)); }
Context::Context(Context&& other) noexcept = default;
Context& Context::operator=(Context&& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(life_, other.life_);
  std::swap(blocks_, other.blocks_);
  std::swap(exposed_, other.exposed_);
  std::swap(kept_, other.kept_);
  std::swap(current_, other.current_);
  std::swap(offset_, other.offset_);
  std::swap(poison_, other.poison_);
  std::swap(last_, other.last_);
  return *this;
}

Context::~Context() {
  if (backend_) backend_->forget_checks();  // they look at memory that ends here
  kept_.clear();                            // may use what follows
  for (const Block& block : blocks_) {
    if (!block.key.empty())
      backend_->conceal(block.memory, block.bytes);  // scratch is exposed piece by piece
    backend_->release(block.memory, block.bytes);
  }
}

std::shared_ptr<void>& Context::kept(std::string_view key) {
  for (auto& [name, object] : kept_) {
    if (name == key) return object;
  }
  return kept_.emplace_back(key, nullptr).second;
}

// A block to replace an outgrown one has at least twice its size, so that slowly growing calls take few blocks.
std::byte* Context::take(std::size_t bytes, std::string_view key) {
  for (const Block& block : blocks_) {
    if (block.key == key) bytes = std::max(bytes, 2 * block.bytes);
  }
  blocks_.reserve(blocks_.size() + 1);  // so that nothing can throw between allocating and noting it
  auto* memory = static_cast<std::byte*>(backend_->allocate(bytes));
  blocks_.push_back({memory, bytes, kUnfinished});
  return memory;
}

void* Context::scratch_bytes(std::int64_t count, std::size_t size) {
  const std::size_t guard = poison_ ? kAlignment : 0;
  const std::size_t bytes = rounded_bytes(count, size) + guard;
  while (current_ < blocks_.size() &&
         (!blocks_[current_].key.empty() || blocks_[current_].bytes - offset_ < bytes)) {
    ++current_;
    offset_ = 0;
  }
  if (current_ == blocks_.size()) {
    offset_ = 0;
    take(bytes, "");
    blocks_.back().key = "";
  }
  std::byte* memory = blocks_[current_].memory + offset_;
  offset_ += bytes;
  if (poison_) backend_->fill(memory, 0xFF, bytes);
  lend(memory, static_cast<std::size_t>(count) * size);
  return memory;
}

void* Context::state_bytes(const char* key, std::int64_t count, std::size_t size) {
  const std::size_t bytes = rounded_bytes(count, size);
  for (const Block& block : blocks_) {
    if (block.key == key && block.bytes >= bytes) return block.memory;
  }
  std::byte* memory = take(bytes, key);
  backend_->fill(memory, 0, blocks_.back().bytes);
  backend_->expose(memory, blocks_.back().bytes);
  blocks_.back().key = key;  // from here on it is found
  return memory;
}

void Context::begin_call(LastCall call) {
  last_ = call;
  current_ = offset_ = 0;
  backend_->enter(last_.implementation.data());
}

void Context::end_call() noexcept {
  for (const Piece& piece : exposed_) backend_->conceal(piece.memory, piece.bytes);
  exposed_.clear();
  backend_->leave();
}

void Context::lend(const void* memory, std::size_t bytes) {
  backend_->expose(memory, bytes);
  exposed_.push_back({memory, bytes});
}

}  // namespace tandem
