#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::local {

/// What a content log says. Paths are from the volume's root, without links on the way.
struct LogRecord {
  enum class Kind : std::uint8_t {
    content,   ///< The file at `path`, which was `inode` and changed at `modified`, is `content`.
    forgotten  ///< What was said before of `path` and what is beneath it is void.
  };
  Kind kind = Kind::content;
  std::uint64_t sequence = 0;  ///< Grows; of `forgotten`: that of the last record it makes void.
  std::uint64_t inode = 0;
  timespec modified = {};
  std::string_view path;
  std::span<const std::byte> content;
};

/// The record's bytes on the disk, at most.
std::size_t stored_bytes(const LogRecord& record);

/// Appends the record in the form that `RecordScan` reads. Native byte order: the log never leaves
/// its machine.
void append(std::vector<std::byte>& out, const LogRecord& record);

/// Goes through appended records; what they view are the bytes given.
class RecordScan {
 public:
  explicit RecordScan(std::span<const std::byte> bytes) : rest_(bytes) {}
  /// Nothing at the end, and from the first byte on that is no record.
  std::optional<LogRecord> next();

 private:
  std::span<const std::byte> rest_;
};

/// True if `path` is `top` or beneath it.
bool is_at_or_beneath(std::string_view path, std::string_view top);

}  // namespace coffer::local
