#include "tandem/array.h"

#include <memory>
#include <string>

#include "lib/core/context_impl.h"

namespace tandem::detail {

struct Buffer::Owner {
  std::shared_ptr<Backend> backend;
  std::size_t bytes;
};

Buffer::Buffer(Context& ctx, std::int64_t count, std::size_t element_bytes) {
  translated([&] {
    std::int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, static_cast<std::int64_t>(element_bytes), &bytes)) {
      throw InvalidArgument("Array: size is " + std::to_string(count) +
                            "; it must be at least 0 and fit in 2^63 bytes");
    }
    std::unique_ptr<Owner> owner(new Owner{ctx.impl().backend, static_cast<std::size_t>(bytes)});
    if (bytes > 0) {
      data_ = owner->backend->allocate(owner->bytes);
      try {
        owner->backend->expose(data_, owner->bytes);
      } catch (...) {
        owner->backend->release(data_, owner->bytes);
        throw;
      }
    }
    owner_ = owner.release();
  });
}

Buffer::~Buffer() {
  if (data_) {
    owner_->backend->conceal(data_, owner_->bytes);
    owner_->backend->release(data_, owner_->bytes);
  }
  delete owner_;
}

void Buffer::upload(const void* from, std::size_t count, std::int64_t room, std::size_t element_bytes) {
  if (count > static_cast<std::size_t>(room)) {
    throw InvalidArgument("Array::upload: " + std::to_string(count) + " values for an array of " +
                          std::to_string(room));
  }
  if (!owner_) return;
  translated([&] {
    owner_->backend->copy(data_, from, count * element_bytes);
    owner_->backend->synchronize();
  });
}

void Buffer::download(void* to, std::size_t bytes) const {
  if (!owner_) return;
  translated([&] {
    owner_->backend->copy(to, data_, bytes);
    owner_->backend->synchronize();
  });
}

}  // namespace tandem::detail
