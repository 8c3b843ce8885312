#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace coffer::sftp {

/// The packets of SFTP version 3 that this backend sends or understands
/// (draft-ietf-secsh-filexfer-02, section 3).
enum class PacketType : std::uint8_t {
  init = 1,
  version = 2,
  open = 3,
  close = 4,
  read = 5,
  write = 6,
  lstat = 7,
  fstat = 8,
  setstat = 9,
  fsetstat = 10,
  opendir = 11,
  readdir = 12,
  remove = 13,
  mkdir = 14,
  rmdir = 15,
  realpath = 16,
  rename = 18,
  readlink = 19,
  status = 101,
  handle = 102,
  data = 103,
  name = 104,
  attributes = 105,
  extended = 200,
};

/// The attributes of an item (draft-ietf-secsh-filexfer-02, section 5).
struct Attributes {
  std::optional<std::uint64_t> size_bytes = {};
  /// Includes the file type, as in stat(2), unless the server leaves it out.
  std::optional<std::uint32_t> permissions = {};
  std::optional<std::uint32_t> modified_s = {};  ///< Seconds since 1970, UTC.

  bool has_type() const;
  /// `type` is S_IFDIR, S_IFREG, S_IFLNK or another one of stat(2).
  void set_type(std::uint32_t type);
  bool is_folder() const;
  bool is_file() const;
  bool is_link() const;
};

/// Converts a time to seconds since 1970, UTC; nullopt outside the protocol's range, 1970 to 2106.
std::optional<std::uint32_t> to_seconds(Timestamp time);

/// Builds several requests in one buffer.
class PacketWriter {
 public:
  /// Begins a packet. Append its fields and then call `end`, before another packet begins.
  void begin(PacketType type, std::uint32_t id);
  PacketWriter& u32(std::uint32_t value);
  PacketWriter& u64(std::uint64_t value);
  PacketWriter& text(std::string_view value);
  /// Appends those attributes that have a value.
  PacketWriter& attributes(const Attributes& value);
  void end();

  std::string_view packets() const { return out_; }

 private:
  std::string out_;
  std::size_t start_ = 0;
};

/// Reads the fields of a reply one after the other. If a field is missing, the call returns 0 or an
/// empty value, and `good` returns false from then on.
class PacketReader {
 public:
  explicit PacketReader(std::string_view in) : in_(in) {}

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::string_view text();
  Attributes attributes();
  bool good() const { return good_; }
  bool at_end() const { return in_.empty(); }

 private:
  std::string_view take(std::size_t count);

  std::string_view in_;
  bool good_ = true;
};

}  // namespace coffer::sftp
