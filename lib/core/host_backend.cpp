#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "lib/core/backend.h"
#include "lib/core/host_memory.h"
#include "lib/core/live_memory.h"
#include "tandem/error.h"

namespace tandem {
namespace {

constexpr std::size_t kAlignment = 256;

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  info.exceptions(std::ios::badbit);  // memory that runs out is no other CPU
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "CPU";
}

class HostBackend : public Backend {
 public:
  HostBackend(Allocator* allocator, int multiprocessors)
      : allocator_(allocator), multiprocessors_(multiprocessors) {}

  Place place() const override { return Place::host; }
  std::string description() const override {
    return cpu_name() + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
  }
  int multiprocessors() const override { return multiprocessors_; }
  std::size_t cache_bytes() const override {
    // sysconf counts the caches of all sockets together; what one core sees is here, as "32768K".
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    std::size_t kilobytes = 0;
    return file >> kilobytes ? kilobytes << 10 : std::size_t{32} << 20;
  }

  void* allocate(std::size_t bytes) override {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (rounded >= bytes) {
      if (!allocator_) require_host_memory("an array", static_cast<double>(bytes));
      memory = allocator_ ? allocator_->allocate(bytes) : std::aligned_alloc(kAlignment, rounded);
    }
    if (!memory && bytes) throw OutOfMemory("host", bytes, 0);
    return memory;
  }
  void release(void* memory, std::size_t bytes) noexcept override {
    if (allocator_)
      allocator_->release(memory, bytes);
    else
      std::free(memory);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes) std::memcpy(to, from, bytes);
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    if (bytes) std::memset(memory, byte, bytes);
  }
  void expose(const void* begin, std::size_t bytes) override { live_memory::add(begin, bytes); }
  void conceal(const void* begin, std::size_t bytes) noexcept override { live_memory::remove(begin, bytes); }
  double seconds(const std::function<void()>& work) override {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  Allocator* allocator_;
  int multiprocessors_;
};

}  // namespace

const char* name(Place place) {
  switch (place) {
    case Place::host:
      return "host";
    case Place::device:
      return "device";
    default:
      return "simt";
  }
}

std::shared_ptr<Backend> make_host_backend(Allocator* allocator, int multiprocessors) {
  return std::make_shared<HostBackend>(allocator, multiprocessors);
}

}  // namespace tandem
