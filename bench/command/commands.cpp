// All subcommands of tandem, and the options that several have.

#include "bench/command/command.h"
#include "bench/terminal.h"

namespace tandem::command {

void add_table_options(Command sub, bool& csv, const std::string& csv_help) {
  const auto as_csv = sub.flag("--csv", csv, csv_help);
  sub.flag(
         "--md", [] { table_form = TableForm::markdown; }, "Tables as Markdown")
      .excludes(as_csv);
}

void add_commands(Command app) {
  app.require_subcommand();
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
