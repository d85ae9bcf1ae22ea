// Fuzz target: the user's choice table.

#include "lib/core/choice_file.h"
#include "lib/core/registry.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  file.hold(bytes);
  try {
    const std::vector<ChoiceRow> rows = read_choices(file.path());
    for (const ChoiceRow& row : rows) {
      for (const std::string_view name : implementations_of(row.implementations))
        fuzz::require(matching(name).at(0)->operation == row.operation,
                      "only known implementations are named");
    }
    file.hold(choices_text(rows));
    fuzz::require(read_choices(file.path()).size() == rows.size(), "what is written is read again");
  } catch (const BadFile& error) {
    fuzz::require(error.offset <= size, "the offset lies in the file");
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos,
                  "a message is one line");
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  std::vector<ChoiceRow> rows;
  for (const Implementation& i : implementations()) {
    if (i.place == Place::host && rows.size() < 5)
      rows.push_back({i.operation, "", i.place, "CPU, 2 threads", "f32", {1, 16, 7}, i.name + " " + i.name});
  }
  return {choices_text({}), choices_text({rows[0]}), choices_text(rows)};
}
