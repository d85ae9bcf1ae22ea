#include "checkpoint.h"

#include <fmt/format.h>
#include <tandem/file.h>

#include <bit>
#include <cstring>

namespace channel {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char kMagic[8] = {'T', 'A', 'N', 'D', 'E', 'M', 'C', 'F'};
constexpr std::uint64_t kVersion = 1;

/// A hash over 8-byte words. Every step is invertible, so a change of a single word always shows.
std::uint64_t checksum(const void* data, std::size_t bytes, std::uint64_t hash = 0x9e3779b97f4a7c15) {
  const auto* from = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, std::min<std::size_t>(8, bytes - i));
    hash = std::rotl((hash ^ word) * 0xff51afd7ed558ccd, 29);
  }
  return hash;
}

constexpr std::size_t kNumbers = 19;
/// The numbers of a flow that must agree, in the order of Header::numbers.
constexpr const char* kNames[kNumbers] = {"nodes along x",
                                          "nodes along y",
                                          "nodes along z",
                                          "length along x",
                                          "length along y",
                                          "length along z",
                                          "lower x face",
                                          "upper x face",
                                          "lower y face",
                                          "upper y face",
                                          "lower z face",
                                          "upper z face",
                                          "Re",
                                          "Pr",
                                          "gamma",
                                          "Mach",
                                          "force",
                                          "dt",
                                          "theta"};

struct Header {
  char magic[8];
  std::uint64_t version, element_bytes;
  double numbers[kNumbers];
  std::int64_t steps;
  std::uint64_t data_checksum, header_checksum;

  std::uint64_t own_checksum() const { return checksum(this, offsetof(Header, header_checksum)); }
};

Header header_of(const Flow& flow, std::size_t element_bytes, std::int64_t steps) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.element_bytes = element_bytes;
  header.steps = steps;
  double* number = header.numbers;
  for (const std::int64_t n : flow.n) *number++ = static_cast<double>(n);
  for (const double length : flow.length) *number++ = length;
  for (const auto& pair : flow.faces) {
    for (const Face face : pair) *number++ = static_cast<double>(face);
  }
  for (const double value : {flow.re, flow.pr, flow.gamma, flow.mach, flow.force, flow.dt, flow.theta})
    *number++ = value;
  return header;
}

template <class T>
std::uint64_t checksum_of(const Fields<T>& fields) {
  std::uint64_t hash = 0;
  for (const auto& field : fields) hash = checksum(field.data(), field.size() * sizeof(T), hash);
  return hash;
}

}  // namespace

template <class T>
void write_checkpoint(const std::string& path, const Flow& flow, const Fields<T>& fields,
                      std::int64_t steps) {
  Header header = header_of(flow, sizeof(T), steps);
  header.data_checksum = checksum_of(fields);
  header.header_checksum = header.own_checksum();
  tandem::file::Replacement file(path);
  file.write(&header, sizeof header);
  for (const auto& field : fields) file.write(field.data(), field.size() * sizeof(T));
  file.commit();
}

template <class T>
std::int64_t read_checkpoint(const std::string& path, const Flow& flow, Fields<T>& fields) {
  tandem::file::Input file(path, "a checkpoint of channel_flow");
  Header header;
  const auto got = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), sizeof header));
  file.read(&header, got);
  if (std::memcmp(header.magic, kMagic, std::min(got, sizeof kMagic)) != 0 || got == 0)
    throw tandem::BadFile(path, 0, "is no checkpoint of channel_flow");
  if (got < sizeof header)
    throw tandem::BadFile(path, got, fmt::format("ends inside the header of {} bytes", sizeof header));
  if (header.own_checksum() != header.header_checksum)
    throw tandem::BadFile(path, 0, "has a damaged header: its checksum does not agree");
  if (header.version != kVersion)
    throw tandem::BadFile(path, 8,
                          fmt::format("is of version {}; this program reads {}", header.version, kVersion));
  if (header.element_bytes != sizeof(T))
    throw tandem::BadFile(path, fmt::format("holds f{}, and this run computes in f{}",
                                            8 * header.element_bytes, 8 * sizeof(T)));
  const Header wanted = header_of(flow, sizeof(T), 0);
  for (std::size_t i = 0; i < kNumbers; ++i) {
    if (header.numbers[i] != wanted.numbers[i]) {
      throw tandem::BadFile(path, fmt::format("is of another flow: {} is {} in it and {} in this run",
                                              kNames[i], header.numbers[i], wanted.numbers[i]));
    }
  }
  const std::size_t field_bytes = static_cast<std::size_t>(flow.cells()) * sizeof(T);
  const std::uint64_t size = file.size(), needed = sizeof header + kUnknowns * field_bytes;
  if (size != needed)
    throw tandem::BadFile(path, std::min(size, needed),
                          fmt::format("has {} bytes; a checkpoint of this grid has {}", size, needed));
  Fields<T> read;
  for (auto& field : read) {
    field.resize(static_cast<std::size_t>(flow.cells()));
    file.read(field.data(), field_bytes);
  }
  if (checksum_of(read) != header.data_checksum)
    throw tandem::BadFile(path, sizeof header, "has damaged data: their checksum does not agree");
  fields = std::move(read);
  return header.steps;
}

template void write_checkpoint<float>(const std::string&, const Flow&, const Fields<float>&, std::int64_t);
template void write_checkpoint<double>(const std::string&, const Flow&, const Fields<double>&, std::int64_t);
template std::int64_t read_checkpoint<float>(const std::string&, const Flow&, Fields<float>&);
template std::int64_t read_checkpoint<double>(const std::string&, const Flow&, Fields<double>&);

}  // namespace channel
