#include "backends/sftp/packet.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace coffer::sftp {
namespace {

constexpr std::uint32_t kHasSize = 0x1;
constexpr std::uint32_t kHasOwner = 0x2;
constexpr std::uint32_t kHasPermissions = 0x4;
constexpr std::uint32_t kHasTimes = 0x8;
constexpr std::uint32_t kHasExtended = 0x80000000;

constexpr std::size_t kLengthBytes = 4;

void put(std::string& out, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) out[at + i] = static_cast<char>(value >> (24 - 8 * i));
}

bool is_type(const Attributes& item, mode_t type) {
  return item.permissions && (*item.permissions & S_IFMT) == type;
}

}  // namespace

bool Attributes::has_type() const {
  return permissions && (*permissions & S_IFMT) != 0;
}
void Attributes::set_type(std::uint32_t type) {
  permissions = (permissions.value_or(0) & ~std::uint32_t{S_IFMT}) | type;
}
bool Attributes::is_folder() const {
  return is_type(*this, S_IFDIR);
}
bool Attributes::is_file() const {
  return is_type(*this, S_IFREG);
}
bool Attributes::is_link() const {
  return is_type(*this, S_IFLNK);
}

std::optional<std::uint32_t> to_seconds(Timestamp time) {
  const auto since = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  if (since < 0 || since > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(since);
}

void PacketWriter::begin(PacketType type, std::uint32_t id) {
  start_ = out_.size();
  u32(0);
  out_ += static_cast<char>(type);
  u32(id);
}

PacketWriter& PacketWriter::u32(std::uint32_t value) {
  out_.resize(out_.size() + 4);
  put(out_, out_.size() - 4, value);
  return *this;
}

PacketWriter& PacketWriter::u64(std::uint64_t value) {
  return u32(static_cast<std::uint32_t>(value >> 32)).u32(static_cast<std::uint32_t>(value));
}

PacketWriter& PacketWriter::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  out_ += value;
  return *this;
}

PacketWriter& PacketWriter::attributes(const Attributes& value) {
  u32((value.size_bytes ? kHasSize : 0) | (value.permissions ? kHasPermissions : 0) |
      (value.modified_s ? kHasTimes : 0));
  if (value.size_bytes) u64(*value.size_bytes);
  if (value.permissions) u32(*value.permissions);
  // The protocol has the access time only together with the modification time.
  if (value.modified_s) u32(*value.modified_s).u32(*value.modified_s);
  return *this;
}

void PacketWriter::end() {
  put(out_, start_, static_cast<std::uint32_t>(out_.size() - start_ - kLengthBytes));
}

std::string_view PacketReader::take(std::size_t count) {
  if (count > in_.size()) {
    good_ = false;
    in_ = {};
    return {};
  }
  const auto taken = in_.substr(0, count);
  in_.remove_prefix(count);
  return taken;
}

std::uint8_t PacketReader::u8() {
  const auto byte = take(1);
  return byte.empty() ? 0 : static_cast<std::uint8_t>(byte.front());
}

std::uint32_t PacketReader::u32() {
  std::uint32_t value = 0;
  for (const char byte : take(4)) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

std::uint64_t PacketReader::u64() {
  const std::uint64_t high = u32();
  return high << 32 | u32();
}

std::string_view PacketReader::text() {
  return take(u32());
}

Attributes PacketReader::attributes() {
  Attributes found;
  const auto flags = u32();
  if (flags & kHasSize) found.size_bytes = u64();
  if (flags & kHasOwner) take(8);
  if (flags & kHasPermissions) found.permissions = u32();
  if (flags & kHasTimes) {
    take(4);
    found.modified_s = u32();
  }
  // Each takes bytes, so a false count ends at the packet's end.
  for (auto left = flags & kHasExtended ? u32() : 0; left > 0 && good_; --left) {
    text();
    text();
  }
  return found;
}

}  // namespace coffer::sftp
