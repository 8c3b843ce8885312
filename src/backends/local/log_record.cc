#include "backends/local/log_record.h"

#include <cstring>

namespace coffer::local {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

struct StoredTime {
  std::int64_t seconds;
  std::int64_t nanoseconds;
};

/// The part that both versions begin with.
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

struct PlaceHead {
  StoredTime made;
  std::int64_t made_since_boot_ns;
  std::uint64_t folder_inode;
  std::uint64_t root_inode;
  StoredTime root_born;
  std::uint64_t root_bytes;
};
static_assert(sizeof(PlaceHead) == 64);

timespec time_of(const StoredTime& time) {
  return {time.seconds, static_cast<long>(time.nanoseconds)};
}

StoredTime stored(const timespec& time) {
  return {time.tv_sec, time.tv_nsec};
}

/// Takes `count` bytes off the front; nothing if there are fewer.
std::optional<std::span<const std::byte>> take(std::span<const std::byte>& rest,
                                               std::size_t count) {
  if (rest.size() < count) return std::nullopt;
  const auto taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

template <class T>
bool take_into(std::span<const std::byte>& rest, T& value) {
  const auto bytes = take(rest, sizeof(T));
  if (bytes) std::memcpy(&value, bytes->data(), sizeof(T));
  return bytes.has_value();
}

template <class T>
void append_bytes(std::vector<std::byte>& out, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

nanoseconds span_of(const timespec& time) {
  return seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

// The coarse clock is what the kernel takes files' times from.
LogTime LogTime::now() {
  LogTime time;
  timespec since_boot{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time.wall);
  ::clock_gettime(CLOCK_BOOTTIME, &since_boot);
  time.since_boot = span_of(since_boot);
  return time;
}

nanoseconds LogTime::offset() const {
  return span_of(wall) - since_boot;
}

std::string_view LogRecord::path_in_root() const {
  const bool is_beneath = root_bytes < path.size() && path[root_bytes] == '/';
  return is_beneath ? path.substr(root_bytes + 1) : path;
}

void append(std::vector<std::byte>& out, const LogRecord& record) {
  append_bytes(out, RecordHead{record.sequence, record.inode, record.modified.tv_sec,
                               static_cast<std::uint32_t>(record.modified.tv_nsec),
                               static_cast<std::uint32_t>(record.path.size()),
                               static_cast<std::uint32_t>(record.content.size()),
                               static_cast<std::uint32_t>(record.kind)});
  append_bytes(
      out, PlaceHead{stored(record.made.wall), record.made.since_boot.count(), record.folder_inode,
                     record.root.inode, stored(record.root.born), record.root_bytes});
  const auto path_bytes = std::as_bytes(std::span(record.path));
  out.insert(out.end(), path_bytes.begin(), path_bytes.end());
  out.insert(out.end(), record.content.begin(), record.content.end());
}

std::optional<LogRecord> RecordScan::next() {
  RecordHead head{};
  PlaceHead place{};
  if (!take_into(rest_, head)) return std::nullopt;
  const bool is_placed = version_ == 1 || take_into(rest_, place);
  const auto path = is_placed ? take(rest_, head.path_bytes) : std::nullopt;
  const auto content = path ? take(rest_, head.content_bytes) : std::nullopt;
  const bool is_known = head.kind <= static_cast<std::uint32_t>(LogRecord::Kind::forgotten);
  if (!content || !is_known || place.root_bytes > head.path_bytes) {
    rest_ = {};
    return std::nullopt;
  }
  LogRecord record;
  record.kind = static_cast<LogRecord::Kind>(head.kind);
  record.sequence = head.sequence;
  record.inode = head.inode;
  record.folder_inode = place.folder_inode;
  record.modified = {head.modified_seconds, static_cast<long>(head.modified_nanoseconds)};
  record.made = {time_of(place.made), nanoseconds(place.made_since_boot_ns)};
  record.root = {place.root_inode, time_of(place.root_born)};
  record.root_bytes = place.root_bytes;
  record.path = {reinterpret_cast<const char*>(path->data()), path->size()};
  record.content = *content;
  return record;
}

bool is_at_or_beneath(std::string_view path, std::string_view top) {
  if (!path.starts_with(top)) return false;
  return path.size() == top.size() || top.empty() || path[top.size()] == '/';
}

}  // namespace coffer::local
