#include "backends/sftp/lost_reply.h"

namespace coffer::sftp {
namespace {

Result<bool> is_there(const SftpRemote& remote, const std::string& place) {
  const auto item = remote.lstat(place);
  if (item) return true;
  if (item.error().code == ErrorCode::not_found) return false;
  return failure_of(item);
}

}  // namespace

Result<void> rename_surely(Server& server, const SftpRemote& remote, const std::string& from,
                           const std::string& to) {
  auto moved = remote.rename(from, to);
  if (moved || remote.connection().is_alive()) return moved;
  const auto done = server.retry_on_new_connection([&](const SftpRemote& other) -> Result<bool> {
    const auto stayed = is_there(other, from);
    if (!stayed) return failure_of(stayed);
    if (*stayed) return false;
    return is_there(other, to);
  });
  if (done && *done) moved = {};
  return moved;
}

Result<void> rename_what_is_there(Server& server, const std::string& from, const std::string& to) {
  return server.retry_on_new_connection([&](const SftpRemote& remote) -> Result<void> {
    const auto there = is_there(remote, from);
    if (!there) return failure_of(there);
    if (!*there) return {};
    return remote.rename(from, to);
  });
}

}  // namespace coffer::sftp
