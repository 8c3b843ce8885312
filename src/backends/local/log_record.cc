#include "backends/local/log_record.h"

#include <cstring>

namespace coffer::local {
namespace {

struct RecordHead {
  std::uint64_t sequence;
  std::uint64_t inode;
  std::int64_t modified_seconds;
  std::uint32_t modified_nanoseconds;
  std::uint32_t path_bytes;
  std::uint32_t content_bytes;
  std::uint32_t kind;
};
static_assert(sizeof(RecordHead) == 40);

/// Takes `count` bytes off the front; nothing if there are fewer.
std::optional<std::span<const std::byte>> take(std::span<const std::byte>& rest,
                                               std::size_t count) {
  if (rest.size() < count) return std::nullopt;
  const auto taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

}  // namespace

std::size_t stored_bytes(const LogRecord& record) {
  return sizeof(RecordHead) + record.path.size() + record.content.size();
}

void append(std::vector<std::byte>& out, const LogRecord& record) {
  const RecordHead head{record.sequence,
                        record.inode,
                        record.modified.tv_sec,
                        static_cast<std::uint32_t>(record.modified.tv_nsec),
                        static_cast<std::uint32_t>(record.path.size()),
                        static_cast<std::uint32_t>(record.content.size()),
                        static_cast<std::uint32_t>(record.kind)};
  const auto head_bytes = std::as_bytes(std::span(&head, 1));
  const auto path_bytes = std::as_bytes(std::span(record.path));
  out.insert(out.end(), head_bytes.begin(), head_bytes.end());
  out.insert(out.end(), path_bytes.begin(), path_bytes.end());
  out.insert(out.end(), record.content.begin(), record.content.end());
}

std::optional<LogRecord> RecordScan::next() {
  const auto head_bytes = take(rest_, sizeof(RecordHead));
  if (!head_bytes) return std::nullopt;
  RecordHead head{};
  std::memcpy(&head, head_bytes->data(), sizeof(head));
  const auto path = take(rest_, head.path_bytes);
  const auto content = path ? take(rest_, head.content_bytes) : std::nullopt;
  const bool is_known = head.kind <= static_cast<std::uint32_t>(LogRecord::Kind::forgotten);
  if (!content || !is_known) {
    rest_ = {};
    return std::nullopt;
  }
  return LogRecord{static_cast<LogRecord::Kind>(head.kind),
                   head.sequence,
                   head.inode,
                   {head.modified_seconds, static_cast<long>(head.modified_nanoseconds)},
                   {reinterpret_cast<const char*>(path->data()), path->size()},
                   *content};
}

bool is_at_or_beneath(std::string_view path, std::string_view top) {
  if (!path.starts_with(top)) return false;
  return path.size() == top.size() || top.empty() || path[top.size()] == '/';
}

}  // namespace coffer::local
