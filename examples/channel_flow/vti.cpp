#include "vti.h"

#include <fmt/format.h>
#include <tandem/file.h>

namespace channel {
namespace {

struct Item {
  const char* name;
  std::vector<int> components;  // unknowns; pressure is made of two
};
constexpr int kPressure = kUnknowns;
const std::vector<Item> kItems{
    {"density", {kRho}}, {"temperature", {kT}}, {"pressure", {kPressure}}, {"velocity", {kU, kV, kW}}};

}  // namespace

template <class T>
void write_vti(const std::string& path, const Flow& flow, const Fields<T>& fields, double time) {
  const auto [nx, ny, nz] = flow.n;
  const auto cells = static_cast<std::size_t>(flow.cells());
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", nx - 1, ny - 1, nz - 1);
  const char* type = sizeof(T) == 4 ? "Float32" : "Float64";
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<ImageData WholeExtent=\"{}\" Origin=\"0 0 0\" Spacing=\"{} {} {}\">\n"
      "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray></FieldData>\n"
      "<Piece Extent=\"{}\">\n<PointData Scalars=\"pressure\" Vectors=\"velocity\">\n",
      extent, flow.spacing(0), flow.spacing(1), flow.spacing(2), time, extent);
  std::size_t offset = 0;
  for (const Item& item : kItems) {
    text += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type, item.name, item.components.size(), offset);
    offset += sizeof(std::uint64_t) + item.components.size() * cells * sizeof(T);
  }
  text += "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";

  tandem::file::Replacement file(path);
  file.write(text.data(), text.size());
  std::vector<T> values;
  for (const Item& item : kItems) {
    values.clear();
    values.reserve(item.components.size() * cells);
    for (std::int64_t k = 0; k < nz; ++k) {
      for (std::int64_t j = 0; j < ny; ++j) {
        for (std::int64_t i = 0; i < nx; ++i) {
          const auto c = static_cast<std::size_t>((i * ny + j) * nz + k);
          for (const int a : item.components) {
            values.push_back(a == kPressure ? static_cast<T>(flow.gas()) * fields[kRho][c] * fields[kT][c]
                                            : fields[static_cast<std::size_t>(a)][c]);
          }
        }
      }
    }
    const std::uint64_t bytes = values.size() * sizeof(T);
    file.write(&bytes, sizeof bytes);
    file.write(values.data(), bytes);
  }
  constexpr std::string_view kEnd = "\n</AppendedData>\n</VTKFile>\n";
  file.write(kEnd.data(), kEnd.size());
  file.commit();
}

template void write_vti<float>(const std::string&, const Flow&, const Fields<float>&, double);
template void write_vti<double>(const std::string&, const Flow&, const Fields<double>&, double);

}  // namespace channel
