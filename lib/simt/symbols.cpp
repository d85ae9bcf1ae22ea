#include "lib/simt/symbols.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tandem::simt {
namespace {

class Sites {
 public:
  std::uint32_t of(const CodeSite& site) {
    const std::lock_guard lock(mutex_);
    const auto key = std::tuple{site.instruction ? site.instruction : site.file, site.line, site.column};
    const auto [entry, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
    if (added) all_.push_back(site);
    return entry->second;
  }
  CodeSite operator[](std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    return all_.at(number);
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<const void*, unsigned, unsigned>, std::uint32_t> numbers_;
  std::vector<CodeSite> all_;
};
Sites& sites() {
  static Sites instance;
  return instance;
}

/// The libraries of this process as libdw sees them.
class Program {
 public:
  Program() {
    static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr,
                                             nullptr};
    session_.reset(dwfl_begin(&callbacks));
    if (!session_) return;
    dwfl_linux_proc_report(session_.get(), getpid());
    dwfl_report_end(session_.get(), nullptr, nullptr);
  }
  SourceLine line(Dwarf_Addr address) const {
    Dwfl_Module* module = session_ ? dwfl_addrmodule(session_.get(), address) : nullptr;
    Dwfl_Line* found = module ? dwfl_module_getsrc(module, address) : nullptr;
    int number = 0;
    const char* file = found ? dwfl_lineinfo(found, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
    if (!file) return {};
    const SourceLine innermost{file, static_cast<unsigned>(number)};
    return defines_elements(innermost.file) ? caller_of_access(module, address, innermost) : innermost;
  }
  std::string symbol(Dwarf_Addr address) const {
    Dwfl_Module* module = session_ ? dwfl_addrmodule(session_.get(), address) : nullptr;
    const char* name = module ? dwfl_module_addrname(module, address) : nullptr;
    return name ? name : "";
  }

 private:
  struct End {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };
  using Dies = std::unique_ptr<Dwarf_Die[], void (*)(void*)>;

  /// Whether a file says what an element is, a type of numbers or an operation's contract: what reads or writes memory is
  /// the line that asks for it.
  static bool defines_elements(std::string_view file) {
    return file.ends_with("tandem/half.h") || file.ends_with("tandem/bfloat16.h") ||
           file.ends_with("fft/complex.h") || file.ends_with("/contract.h");
  }
  /// The nearest line outside such a file into which the instruction was inlined.
  static SourceLine caller_of_access(Dwfl_Module* module, Dwarf_Addr address, const SourceLine& innermost) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Files* files = nullptr;
    if (!unit || dwarf_getsrcfiles(unit, &files, nullptr) != 0) return innermost;
    Dwarf_Die* found = nullptr;
    const int around = dwarf_getscopes(unit, address - bias, &found);
    if (around <= 0) return innermost;
    const Dies inner(found, std::free);
    int at = 0;
    while (at < around && dwarf_tag(&inner[at]) != DW_TAG_inlined_subroutine) ++at;
    if (at == around) return innermost;
    const int depth = dwarf_getscopes_die(&inner[at], &found);
    if (depth <= 0) return innermost;
    const Dies chain(found, std::free);
    for (int i = 0; i < depth; ++i) {
      if (dwarf_tag(&chain[i]) != DW_TAG_inlined_subroutine) continue;
      Dwarf_Attribute attribute;
      Dwarf_Word file = 0, line = 0;
      if (dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_file, &attribute), &file) != 0 ||
          dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_line, &attribute), &line) != 0)
        return innermost;
      const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
      if (name && !defines_elements(name)) return {name, static_cast<unsigned>(line)};
    }
    return innermost;
  }

  std::unique_ptr<Dwfl, End> session_;
};

// libdw may not be called from two threads at once.
std::mutex mutex;
const Program& program() {
  static const Program instance;
  return instance;
}

/// A file as it is named in the tree. A compiler cache that several checkouts share keeps names relative to the
/// folder of the build.
std::string in_tree(const std::string& name) {
  constexpr std::string_view kRoot = TANDEM_SOURCE_DIR "/";
  if (name.empty()) return name;
  const std::string file =
      (std::filesystem::path(TANDEM_BUILD_DIR) / name).lexically_normal();  // absolute ones stay
  return file.starts_with(kRoot) ? file.substr(kRoot.size()) : file;
}

}  // namespace

std::uint32_t site_number(const CodeSite& site) { return sites().of(site); }
CodeSite code_site(std::uint32_t number) { return sites()[number]; }

SourceLine source_line(const CodeSite& site) {
  if (!site.instruction) return {in_tree(site.file), site.line};
  const std::lock_guard lock(mutex);
  // A return address belongs to the call before it.
  SourceLine line = program().line(reinterpret_cast<Dwarf_Addr>(site.instruction) - 1);
  return {in_tree(line.file), line.line};
}

std::string show_line(const CodeSite& site) {
  const SourceLine line = source_line(site);
  if (line.file.empty()) return fmt::format("instruction {}", site.instruction);
  return fmt::format("{}:{}", line.file.substr(line.file.rfind('/') + 1), line.line);
}

std::string function_name(const void* address) {
  static std::map<const void*, std::string> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(address); found != known.end()) return found->second;
  const std::string symbol = program().symbol(reinterpret_cast<Dwarf_Addr>(address));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 ? demangled.get() : symbol;
  // "void tandem::(anonymous namespace)::tile<C>(int*)": the last name before the first < or ( outside a
  // namespace.
  for (std::size_t at; (at = name.find("(anonymous namespace)::")) != name.npos;) name.erase(at, 23);
  name = name.substr(0, name.find_first_of("<("));
  name = name.substr(name.find_last_of(" :") + 1);
  return known[address] = name.empty() ? "kernel" : name;
}

}  // namespace tandem::simt
