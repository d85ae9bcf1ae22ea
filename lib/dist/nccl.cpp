#include "lib/dist/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr const char* kFile = "libnccl.so.2";
constexpr int kLeast = 20700;  // 2.7, the first with Send and Recv

Nccl loaded() {
  const char* named = std::getenv("TANDEM_NCCL");
  const std::string file = named ? named : kFile;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const std::string why = dlerror();
    throw Unavailable(fmt::format(
        "Communicator: NCCL cannot be loaded ({}), which ranks on GPUs need; install libnccl2, or nvidia-nccl-cu13 from PyPI, and "
        "name its {} by TANDEM_NCCL where the loader does not find it",
        why, kFile));
  }
  Nccl found{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function) throw Unavailable(fmt::format("Communicator: {} is no NCCL: it has no function {}", file, name));
  };
  find(found.GetVersion, "ncclGetVersion");
  find(found.GetUniqueId, "ncclGetUniqueId");
  find(found.CommInitRank, "ncclCommInitRank");
  find(found.CommDestroy, "ncclCommDestroy");
  find(found.CommCount, "ncclCommCount");
  find(found.CommUserRank, "ncclCommUserRank");
  find(found.CommGetAsyncError, "ncclCommGetAsyncError");
  find(found.AllReduce, "ncclAllReduce");
  find(found.Send, "ncclSend");
  find(found.Recv, "ncclRecv");
  find(found.GroupStart, "ncclGroupStart");
  find(found.GroupEnd, "ncclGroupEnd");
  find(found.GetErrorString, "ncclGetErrorString");
  int version = 0;
  if (found.GetVersion(&version) != 0 || version < kLeast)
    throw Unavailable(
        fmt::format("Communicator: {} is NCCL of version {}; it must be at least {} (2.7)", file, version, kLeast));
  return found;
}

}  // namespace

const Nccl& nccl() {
  static const Nccl found = loaded();  // anew where it threw
  return found;
}

int nccl_type(Type type) {
  switch (type) {
    case Type::i8:
      return 0;
    case Type::u8:
      return 1;
    case Type::i32:
      return 2;
    case Type::u32:
      return 3;
    case Type::i64:
      return 4;
    case Type::u64:
      return 5;
    case Type::f16:
      return 6;
    case Type::f32:
      return 7;
    case Type::f64:
      return 8;
    case Type::bf16:
      return 9;
  }
  return -1;
}

int nccl_operator(OperatorId op) {
  switch (op) {
    case OperatorId::plus:
      return 0;
    case OperatorId::multiplies:
      return 1;
    case OperatorId::maximum:
      return 2;
    case OperatorId::minimum:
      return 3;
    default:
      return -1;
  }
}

}  // namespace tandem
