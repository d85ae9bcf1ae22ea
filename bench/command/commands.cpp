// All subcommands of tandem.

#include "bench/command/command.h"
#include "common/options.h"

namespace tandem::command {

void add_commands(CLI::App& app) {
  app.require_subcommand(1);
  app.footer("Example: tandem compare reduce --n 64K,16M --type f32");
  add_list(app);
  add_run(app);
  add_check(app);
  add_compare(app);
  add_audit(app);
  add_tune(app);
  add_generate(app);
  add_reproduce(app);
#ifdef TANDEM_HAS_SIMT
  add_trace(app);
#endif
}

}  // namespace tandem::command
