// All subcommands of tandem, and the options that several have.

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "common/options.h"

namespace tandem::command {

void add_table_options(CLI::App* sub, bool& csv) {
  auto* as_csv = sub->add_flag("--csv", csv, "As CSV: the rows of --json, in figures");
  sub->add_flag_callback(
         "--md", [] { table_form = TableForm::markdown; }, "Tables as Markdown")
      ->excludes(as_csv);
}

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
  add_report(app);
#ifdef TANDEM_HAS_SIMT
  add_trace(app);
#endif
  add_completion(app);
  add_manual(app);
}

}  // namespace tandem::command
