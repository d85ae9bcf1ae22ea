// Checkpoints and VTK files: what is written, what is read again, and what is refused.

#include <cstring>

#include "checkpoint.h"
#include "test_support.h"
#include "vti.h"

namespace channel {

TEST_SUITE_BEGIN("channel_flow");

TEST_CASE_TEMPLATE("checkpoints: what is written is read again, and nothing else", T, float, double) {
  const TemporaryDirectory directory;
  const std::string path = directory / "flow.cfc";
  const Flow flow = duct(5, 4, 3);
  const Fields<T> fields = sample<T>(flow, lively, 0);
  write_checkpoint(path, flow, fields, 17);
  CHECK(directory.count() == 1);
  Fields<T> read;
  CHECK(read_checkpoint<T>(path, flow, read) == 17);
  CHECK(read == fields);

  const std::string content = slurp(path);
  const auto refused = [&](std::string_view bytes, const Flow& wanted, const char* what) {
    spill(path, bytes);
    Fields<T> untouched = fields;
    const std::string text = thrown<tandem::BadFile>([&] { read_checkpoint<T>(path, wanted, untouched); });
    CHECK_MESSAGE(contains(text, what), text);
    CHECK(contains(text, path));
    CHECK(untouched == fields);
    CHECK(slurp(path) == bytes);
  };
  for (std::size_t part = 0; part < 64; ++part)
    refused(content.substr(0, content.size() * part / 64), flow, "");
  refused(content.substr(0, content.size() - 1), flow, "bytes; a checkpoint of this grid has");
  refused(content + "x", flow, "bytes; a checkpoint of this grid has");
  const std::size_t header = content.size() - kUnknowns * fields[0].size() * sizeof(T);
  for (std::size_t bit = 0; bit < 8 * header; ++bit) {
    std::string flipped = content;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    refused(flipped, flow, bit < 64 ? "is no checkpoint" : "damaged header");
  }
  for (std::size_t at = header; at < content.size(); at += 7) {
    std::string flipped = content;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    refused(flipped, flow, "damaged data");
  }
  refused(content, duct(5, 3, 4), "nodes along y is 4 in it and 3 in this run");
  Flow other = flow;
  other.re = 51;
  refused(content, other, "Re is 50 in it and 51 in this run");
  other = flow;
  other.faces[2][1] = Face::symmetry;
  refused(content, other, "upper z face");
  using Other = std::conditional_t<sizeof(T) == 4, double, float>;
  Fields<Other> others;
  CHECK(contains(thrown<tandem::BadFile>([&] { read_checkpoint<Other>(path, flow, others); }),
                 "and this run computes in"));
}

TEST_CASE("VTK image data: offsets, sizes and order are those of its header") {
  const TemporaryDirectory directory;
  const std::string path = directory / "flow.vti";
  const Flow flow = duct(5, 4, 3);
  const Fields<double> fields = sample<double>(flow, lively, 0);
  write_vti(path, flow, fields, 0.5);
  const std::string content = slurp(path);
  CHECK(contains(content, "WholeExtent=\"0 4 0 3 0 2\""));
  CHECK(contains(content, "Spacing=\"0.25 0.3333333333333333 0.5\""));
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t data = content.find(mark) + mark.size();
  const auto array = [&](const char* name, std::size_t components) {
    const std::size_t line = content.find("Name=\"" + std::string(name) + "\"");
    const std::size_t offset = std::stoul(content.substr(content.find("offset=\"", line) + 8));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, content.data() + data + offset, sizeof bytes);
    CHECK(bytes == components * 60 * sizeof(double));
    std::vector<double> values(bytes / sizeof(double));
    std::memcpy(values.data(), content.data() + data + offset + sizeof bytes, bytes);
    return values;
  };
  const auto rho = array("density", 1), temperature = array("temperature", 1),
             pressure = array("pressure", 1), velocity = array("velocity", 3);
  for (std::size_t k = 0, to = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 5; ++i, ++to) {
        const std::size_t c = (i * 4 + j) * 3 + k;
        CHECK(rho[to] == fields[kRho][c]);
        CHECK(temperature[to] == fields[kT][c]);
        CHECK(pressure[to] == doctest::Approx(flow.gas() * fields[kRho][c] * fields[kT][c]));
        for (std::size_t a = 0; a < 3; ++a) CHECK(velocity[3 * to + a] == fields[kU + a][c]);
      }
    }
  }
  CHECK(content.substr(data + 8 * 4 + 6 * 60 * sizeof(double)) == "\n</AppendedData>\n</VTKFile>\n");
  CHECK(directory.count() == 1);
  thrown<tandem::BadFile>([&] { write_vti(directory / "missing/flow.vti", flow, fields, 0); });
}

TEST_SUITE_END();

}  // namespace channel
