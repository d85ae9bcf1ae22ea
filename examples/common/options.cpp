#include "common/options.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace tandem::terminal {

Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::default_str(const std::string& text) const { return Option(option_->default_str(text)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::required() const { return Option(option_->required()); }
Option Option::expected(int least, int most) const { return Option(option_->expected(least, most)); }
Option Option::one_of(const std::vector<std::string>& texts) const {
  return Option(option_->check(CLI::IsMember(texts)));
}
Option Option::check(std::function<std::string(const std::string&)> problem) const {
  return Option(option_->check(std::move(problem)));
}
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::excludes(const std::string& other) const { return Option(option_->excludes(other)); }
std::size_t Option::count() const { return option_->count(); }

std::string not_empty(const std::string& text) { return text.empty() ? "needs a value" : ""; }

std::string Command::name() const { return app_->get_name(); }
Command Command::subcommand(const std::string& name, const std::string& description) const {
  return *app_->add_subcommand(name, description);
}
Command Command::footer(const std::string& text) const { return *app_->footer(text); }
void Command::callback(std::function<void()> run) const { app_->callback(std::move(run)); }
void Command::require_subcommand() const { app_->require_subcommand(1); }

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}
Option Command::flag(const std::string& name, std::function<void()> set, const std::string& help) const {
  return Option(app_->add_flag_callback(name, std::move(set), help));
}
Option Command::option(const std::string& name, std::string& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Command::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) const {
  return Option(app_->add_option(name, values, help));
}
Option Command::option(const std::string& name, std::function<void(const std::string&)> take,
                       const std::string& help) const {
  return Option(app_->add_option_function<std::string>(name, take, help));
}

// CLI11 would drop the empty part of "1K,,2K".
Option Command::texts(const std::string& name, std::vector<std::string>& values,
                      const std::string& help) const {
  const auto take = [&values, name](const std::vector<std::string>& texts) {
    values.clear();
    for (const std::string& text : texts) {
      for (std::string& part : parse_list(text, ',', name)) values.push_back(std::move(part));
    }
  };
  return Option(app_->add_option_function<std::vector<std::string>>(name, take, help)
                    ->default_str(fmt::format("{}", fmt::join(values, ","))));
}

Program::Program(const std::string& name, const std::string& description)
    : Command(*new CLI::App(description, name)) {}
Program::~Program() { delete &app(); }
bool Program::parse(int argc, char** argv) {
  try {
    app().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app().exit(error) == 0;  // --help, too, comes this way
  }
  return true;
}

}  // namespace tandem::terminal
