#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/local/root.h"

namespace coffer::local {

/// When a record was made, by two clocks: one that files' times are taken from and that can be set,
/// and one that cannot.
struct LogTime {
  timespec wall = {};  ///< Zero: unknown.
  std::chrono::nanoseconds since_boot = {};

  static LogTime now();
  bool is_known() const { return wall.tv_sec != 0; }
  /// Between the two clocks.
  std::chrono::nanoseconds offset() const;
};

/// What a content log says. Paths are without links on the way: of a root beneath the log's base
/// from the base on, of others absolute. In logs of the first version they are from the root on.
struct LogRecord {
  enum class Kind : std::uint8_t {
    content,   ///< The file at `path`, which was `inode` and changed at `modified`, is `content`.
    forgotten  ///< What was said before of `path` and what is beneath it is void.
  };
  Kind kind = Kind::content;
  std::uint64_t sequence = 0;  ///< Grows; of `forgotten`: that of the last record it makes void.
  std::uint64_t inode = 0;
  std::uint64_t folder_inode = 0;  ///< Of the folder that the file was put into; 0: unknown.
  timespec modified = {};
  LogTime made;                ///< Before the name was seen to be free.
  RootIdentity root;           ///< Of the root, and
  std::size_t root_bytes = 0;  ///< how much of the path leads to it.
  std::string_view path;
  std::span<const std::byte> content;

  std::string_view root_path() const { return path.substr(0, root_bytes); }
  std::string_view path_in_root() const;
};

/// Appends the record in the form that `RecordScan` reads. Native byte order: the log never leaves
/// its machine.
void append(std::vector<std::byte>& out, const LogRecord& record);

/// Goes through appended records; what they view are the bytes given.
class RecordScan {
 public:
  static constexpr int kVersion = 2;
  /// Version 1 had no root, and no times of its own.
  explicit RecordScan(std::span<const std::byte> bytes, int version = kVersion)
      : rest_(bytes), version_(version) {}
  /// Nothing at the end, and from the first byte on that is no record.
  std::optional<LogRecord> next();

 private:
  std::span<const std::byte> rest_;
  int version_;
};

/// True if `path` is `top` or beneath it.
bool is_at_or_beneath(std::string_view path, std::string_view top);

}  // namespace coffer::local
