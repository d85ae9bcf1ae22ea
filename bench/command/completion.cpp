// tandem completion: what bash and zsh need to complete command lines, made from the options and the registry.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <map>
#include <set>

#include "bench/command/command.h"
#include "lib/harness/tuning.h"

namespace tandem::command {
namespace {

using Words = std::vector<std::string>;

/// The values that a type of option has in this build, by the type's name; each is a variable of the scripts.
std::map<std::string, Words> values() {
  Words implementation_names;
  std::set<std::string> tuning_names;
  for (const Implementation& i : implementations()) {
    if (i.place != Place::simt) implementation_names.push_back(i.name);  // which means its @simt row, too
  }
  for (const auto& [operation, name] : tunings()) tuning_names.insert(name);
  return {{kOperation, operation_names()},
          {kImplementation, implementation_names},
          {kType, type_names()},
          {kOperator, operator_names()},
          {kTuning, {tuning_names.begin(), tuning_names.end()}}};
}

/// A command with its options, as shells see it.
struct Entry {
  std::string path;  // "tandem run scan"
  const CLI::App* app;
};

void collect(const CLI::App& app, const std::string& path, std::vector<Entry>& all) {
  all.push_back({path, &app});
  for (const CLI::App* sub : app.get_subcommands({})) collect(*sub, path + " " + sub->get_name(), all);
}
std::vector<Entry> commands_of(const CLI::App& app) {
  std::vector<Entry> all;
  collect(app, app.get_name(), all);
  return all;
}

bool is_flag(const CLI::Option& option) { return option.get_type_size() == 0; }

/// "--n", "-h"
Words spellings(const CLI::Option& option) {
  Words all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

Words subcommand_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

/// "host device simt" of an option that must be one of these, else nothing.
std::string members(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  if (open == type.npos) return {};
  std::string words = type.substr(open + 1, type.find('}', open) - open - 1);
  std::replace(words.begin(), words.end(), ',', ' ');
  return words;
}

// --- bash ---

/// What completes a value: a statement of the script; empty where nothing is known of it.
std::string bash_value(const CLI::Option& option, const std::map<std::string, Words>& known) {
  const std::string type = option.get_type_name(), words = members(option);
  if (type == kFile) return "files=-f";
  if (type == kFolder) return "files=-d";
  if (known.contains(type)) return fmt::format("words=$TANDEM_{}", type);
  return words.empty() ? "" : fmt::format("words='{}'", words);
}

void print_bash(const CLI::App& app) {
  const auto known = values();
  const auto commands = commands_of(app);
  fmt::print(
      "# Completes command lines of tandem in bash. Made by: tandem completion bash\n\n_tandem() {{\n");
  for (const auto& [type, words] : known) fmt::print("  local TANDEM_{}='{}'\n", type, fmt::join(words, " "));
  fmt::print(R"(  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=tandem words= options= files= i
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
)");
  for (const Entry& c : commands) {
    for (const std::string& sub : subcommand_names(*c.app))
      fmt::print("      '{} {}') command+=\" {}\" ;;\n", c.path, sub, sub);
  }
  fmt::print("    esac\n  done\n  case \"$command $before\" in\n");
  for (const Entry& c : commands) {
    for (const CLI::Option* option : c.app->get_options()) {
      if (option->get_positional() || is_flag(*option)) continue;
      const std::string value = bash_value(*option, known);
      for (const std::string& name : spellings(*option))
        fmt::print("    '{} {}') {} ;;\n", c.path, name, value.empty() ? ":" : value);
    }
  }
  fmt::print("    *)\n      case \"$command\" in\n");
  for (const Entry& c : commands) {
    Words options;
    std::string value;
    if (const Words subs = subcommand_names(*c.app); !subs.empty())
      value = fmt::format("words='{}'", fmt::join(subs, " "));
    for (const CLI::Option* option : c.app->get_options()) {
      if (option->get_positional())
        value = bash_value(*option, known);
      else
        for (const std::string& name : spellings(*option)) options.push_back(name);
    }
    fmt::print("        '{}') {}{}options='{}' ;;\n", c.path, value, value.empty() ? "" : " ",
               fmt::join(options, " "));
  }
  fmt::print(R"(      esac
      [[ $word == -* ]] && words=$options
      ;;
  esac
  if [[ $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen $files -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -P "${{word%"${{word##*,}}"}}" -W "$words" -- "${{word##*,}}")
  fi
}}
complete -F _tandem tandem
)");
}

// --- zsh ---

/// Between single quotes, in a specification of _arguments.
std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '\'')
      out += "'\\'";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const CLI::Option& option, const std::map<std::string, Words>& known) {
  const std::string type = option.get_type_name(), words = members(option);
  if (type == kFile) return "_files";
  if (type == kFolder) return "_files -/";
  const bool list = (type == kType || type == kOperator) && option.get_expected_max() > 1;  // with commas
  if (known.contains(type)) return fmt::format("{}_tandem_{}", list ? "_sequence " : "", type);
  return words.empty() ? "" : fmt::format("({})", words);
}

std::string zsh_function(std::string path) {
  std::replace(path.begin(), path.end(), ' ', '_');
  return "_" + path;
}

void print_zsh(const CLI::App& app) {
  const auto known = values();
  fmt::print("#compdef tandem\n# Completes command lines of tandem in zsh. Made by: tandem completion zsh\n");
  for (const auto& [type, words] : known)
    fmt::print("\n_tandem_{}() {{ compadd \"$@\" -- {} }}\n", type, fmt::join(words, " "));
  for (const Entry& c : commands_of(app)) {
    const Words subs = subcommand_names(*c.app);
    fmt::print("\n{}() {{\n", zsh_function(c.path));
    if (!subs.empty()) {
      fmt::print("  local curcontext=$curcontext state line\n  local -a commands=(\n");
      for (const CLI::App* sub : c.app->get_subcommands({}))
        fmt::print("    '{}:{}'\n", sub->get_name(), zsh_quoted(sub->get_description()));
      fmt::print("  )\n");
    }
    fmt::print("  _arguments{}", subs.empty() ? "" : " -C");
    for (const CLI::Option* option : c.app->get_options()) {
      const std::string value = zsh_value(*option, known);
      const std::string many = option->get_expected_max() > 1 ? "*" : "";
      if (option->get_positional()) {
        fmt::print(" \\\n    '{}:{}:{}'", many.empty() ? ":" : many, option->get_name(true), value);
        continue;
      }
      const Words names = spellings(*option);
      const std::string text = zsh_quoted(option->get_description());
      for (const std::string& name : names) {
        const std::string others = names.size() > 1 ? fmt::format("({})", fmt::join(names, " ")) : "";
        fmt::print(
            " \\\n    '{}{}{}{}[{}]{}'", many, others, name, is_flag(*option) ? "" : "=", text,
            is_flag(*option)
                ? ""
                : fmt::format(":{}:{}", members(*option).empty() ? option->get_type_name() : "value", value));
      }
    }
    if (!subs.empty()) {
      fmt::print(" \\\n    '1:command:->command' '*::argument:->rest'\n  case $state in\n");
      fmt::print("    command) _describe command commands ;;\n    rest)\n      case $words[1] in\n");
      for (const std::string& sub : subs)
        fmt::print("        {}) {} ;;\n", sub, zsh_function(c.path + " " + sub));
      fmt::print("      esac\n      ;;\n  esac");
    }
    fmt::print("\n}}\n");
  }
  // As a file of fpath it is a function's body, that of the first call; otherwise a script.
  fmt::print(
      "\nif [[ $funcstack[1] == _tandem ]]; then\n  _tandem \"$@\"\nelse\n  compdef _tandem tandem\nfi\n");
}

}  // namespace

void add_completion(Command program) {
  const auto sub =
      program.subcommand("completion", "A script with which a shell completes command lines of tandem");
  static std::string shell;
  sub.option("shell", shell, "Which one").one_of({"bash", "zsh"}).required();
  sub.footer(
      "cmake --install puts the scripts where the shells look for them.\n"
      "Example: source <(tandem completion bash)");
  sub.callback([program] { shell == "bash" ? print_bash(program.app()) : print_zsh(program.app()); });
}

}  // namespace tandem::command
