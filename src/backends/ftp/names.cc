#include "backends/ftp/names.h"

namespace coffer::ftp {

Result<void> need_free_name(Session session, const Path& path) {
  const auto item = find(session, path);
  if (!item) return failure_of(item);
  if (*item) return std::unexpected(name_taken());
  return {};
}

Result<void> move_name(Session session, const Path& from, const Path& to) {
  auto& connection = session.connection;
  const auto first = connection.command("RNFR " + connection.place(from));
  if (!first) return failure_of(first);
  if (!first->ok()) return std::unexpected(reply_error(*first, no_such_item()));
  const auto second = connection.command("RNTO " + connection.place(to));
  if (!second) return failure_of(second);
  if (second->ok()) return {};
  return std::unexpected(explain(session, to, *second));
}

std::optional<bool> is_still_there(Session session, const Path& path) {
  if (!session.connection.ready()) return std::nullopt;
  const auto item = find(session, path);
  if (!item) return std::nullopt;
  return item->has_value();
}

bool was_moved(Session session, const Path& from, const Path& to,
               std::optional<std::uint64_t> size_bytes) {
  if (is_still_there(session, from).value_or(true)) return false;
  const auto item = find(session, to);
  return item && *item && (!size_bytes || (*item)->size_bytes == *size_bytes);
}

Result<void> move_verified(Session session, const Path& from, const Path& to,
                           std::optional<std::uint64_t> size_bytes) {
  auto moved = move_name(session, from, to);
  if (moved || session.connection.connected()) return moved;
  if (was_moved(session, from, to, size_bytes)) return {};
  return moved;
}

}  // namespace coffer::ftp
