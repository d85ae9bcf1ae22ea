#pragma once
// `tandem run OP`: each operation's file in this folder adds its own subcommand, found by globbing.

#include <fmt/format.h>

#include <string>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "common/options.h"
#include "lib/core/registry.h"
#include "tandem/tandem.h"

namespace tandem::command {

/// From each file, once: adds a subcommand to `run`.
bool add_run_command(void (*add)(CLI::App& run));

/// With --use …@simt the data stays on the host, where the executor computes.
Context context_for(const std::string& use);
void add_use(CLI::App* op, std::string& use);
/// --in, --op and --use of operations over one array.
struct ArrayOptions {
  std::string in, out, op = "plus", use;
};
void add_array_options(CLI::App* op, ArrayOptions& options);

/// Calls f.operator()<C>() for the contract's case of what the file holds.
template <class Contract, class F>
void for_case_of(const std::string& file, Type type, OperatorId op, F&& f) {
  if (!for_case<Contract>({type, op}, f)) {
    throw BadFile(file, fmt::format("holds {}, which {} does not take{}", name(type), Contract::name,
                                    op == OperatorId::none ? "" : fmt::format(" with {}", name(op))));
  }
}

template <class T>
void write_result(const std::string& path, std::span<const std::int64_t> shape, const Array<T>& values) {
  const std::vector<T> host = values.to_vector();
  write_npy(path, type_of<T>, shape, std::as_bytes(std::span<const T>(host)));
}

}  // namespace tandem::command
