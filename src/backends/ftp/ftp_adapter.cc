#include "backends/ftp/ftp_adapter.h"

#include <chrono>
#include <utility>

#include "async/run.h"
#include "backends/ftp/file_copy.h"
#include "backends/ftp/kept_name.h"
#include "backends/remote/removal.h"
#include "base/error.h"

namespace coffer::ftp {
namespace {

constexpr std::chrono::milliseconds kTryAgainAfter(500);
constexpr int kTries = 60;

/// `not_found` also when the folder of `to` is missing.
Result<void> move_name(Session session, const std::string& from, const std::string& to) {
  if (auto kept = need_kept_name(session, to); !kept) return kept;
  const auto first =
      session.connection.command("RNFR " + session.connection.place(from), Wanted::more);
  if (!first) return failure_of(first);
  if (!first->wants_more())
    return std::unexpected(reply_error(*first, remote::fail_missing().error()));
  return command(session, "RNTO", to);
}

Result<void> delete_file(Session session, const std::string& file, Kind shown_as) {
  const auto gone = session.connection.command("DELE " + session.connection.place(file));
  if (!gone) return failure_of(gone);
  if (gone->is_done()) return {};
  if (shown_as != Kind::folder) {
    const auto still = find(session, file);
    if (still && !*still) return remote::fail_missing();
  }
  return std::unexpected(reply_error(*gone, refused_item()));
}

/// A server that looks at each item by its path leaves out what it does not find: a folder that
/// got another name while it was listed looks empty.
Result<std::vector<FtpItem>> list_in_place(Session session, const std::string& folder) {
  auto items = list_all_items(session, folder);
  if (!items || !items->empty()) return items;
  const auto there = find(session, folder);
  if (!there) return failure_of(there);
  if (!*there) return remote::fail_missing();
  return items;
}

/// Deletes all that is left over, once a connection is free.
void sweep(const std::shared_ptr<Server>& server, int tries_left) {
  auto lease = server->connections->try_acquire();
  if (!lease && tries_left > 0 && storage::go_on(server->options->deadlines)) {
    server->pool.post_after(kTryAgainAfter,
                            [server, tries_left] { sweep(server, tries_left - 1); });
    return;
  }
  Result<std::vector<Lease>> leases = fail(ErrorCode::unavailable, "No connection.");
  if (lease) leases.emplace().push_back(*std::move(lease));
  FtpAdapter adapter(server, {}, std::move(leases));
  run(remote::sweep(adapter));
}

}  // namespace

template <class Fn>
auto FtpAdapter::on_server(Fn work) -> std::invoke_result_t<Fn, Session> {
  if (!leases_) return failure_of(leases_);
  Connection& connection = *leases_->front();
  if (auto ready = connection.ready(); !ready) return failure_of(ready);
  return work(Session{*server_, connection});
}

remote::Capabilities FtpAdapter::capabilities() const {
  return {.replaces = remote::Replaces::maybe,
          .shows_links_as_folders = true,
          .tells_vanished = true,
          .walk = server_->options->walk};
}

Task<void> FtpAdapter::carry_out(Task<void> steps) {
  auto work = [&] { run(std::move(steps)); };
  co_await server_->pool.run(std::move(work));
}

Task<Result<std::optional<FtpItem>>> FtpAdapter::find(const std::string& place, remote::Look look) {
  co_return on_server([&](Session session) -> Result<std::optional<FtpItem>> {
    if (look == remote::Look::sure) return ftp::find(session, place);
    const bool is_whole = look == remote::Look::whole;
    auto item = is_whole ? stat_item(session, place) : metadata_of(session, place);
    if (!item && item.error().code == ErrorCode::not_found) return std::nullopt;
    return item;
  });
}

Task<Result<std::vector<FtpItem>>> FtpAdapter::list(const std::string& folder) {
  co_return on_server([&](Session session) { return list_in_place(session, folder); });
}

Task<Result<remote::ShownFolder>> FtpAdapter::list_shown(const Path& folder) {
  const auto place = co_await place_of(folder);
  const auto items = on_server([&](Session session) { return list_all_items(session, *place); });
  if (!items) co_return failure_of(items);
  co_return remote::shown_of(*items);
}

Task<Result<void>> FtpAdapter::make_folder(const std::string& folder) {
  co_return on_server([&](Session session) -> Result<void> {
    if (auto kept = need_kept_name(session, folder); !kept) return kept;
    return command(session, "MKD", folder);
  });
}

Task<Result<void>> FtpAdapter::move(const std::string& from, const std::string& to, Kind /*kind*/) {
  co_return on_server([&](Session session) { return move_name(session, from, to); });
}

Task<Result<void>> FtpAdapter::remove_file(const std::string& file, Kind shown_as) {
  co_return on_server([&](Session session) { return delete_file(session, file, shown_as); });
}

Task<Result<void>> FtpAdapter::remove_folder(const std::string& folder) {
  co_return on_server([&](Session session) -> Result<void> {
    const auto gone = session.connection.command("RMD " + session.connection.place(folder));
    if (!gone) return failure_of(gone);
    if (gone->is_done()) return {};
    return std::unexpected(reply_error(*gone, refused_item()));
  });
}

Task<Result<std::uint64_t>> FtpAdapter::copy_file(const std::string& from, const std::string& to,
                                                  const FtpItem& item, std::uint64_t limit_bytes,
                                                  storage::CopyWatch& watch) {
  if (item.size_bytes > limit_bytes) co_return fail_over_quota();
  co_return on_server([&](Session session) -> Result<std::uint64_t> {
    auto copied = copy_now(session, from, to, item, watch);
    if (copied && *copied > limit_bytes) return fail_over_quota();
    return copied;
  });
}

Result<std::uint64_t> FtpAdapter::copy_now(Session from, const std::string& source,
                                           const std::string& target, const FtpItem& item,
                                           storage::CopyWatch& watch) {
  const Session to{*server_, *leases_->back()};
  if (auto ready = to.connection.ready(); !ready) return failure_of(ready);
  if (auto kept = need_kept_name(to, target); !kept) return failure_of(kept);
  const auto bytes = copy_content(from.connection, from.connection.place(source), to.connection,
                                  to.connection.place(target), watch);
  if (!bytes && bytes.error().code == ErrorCode::forbidden && from.connection.ready()) {
    // Of a file that is gone, servers say that they refuse it.
    const auto now = metadata_of(from, source);
    if (!now && now.error().code == ErrorCode::not_found) return remote::fail_changed();
  }
  if (!bytes) return bytes;
  const auto arrived = metadata_of(to, target);
  if (!arrived) return failure_of(arrived);
  if (*bytes != item.size_bytes || arrived->size_bytes != *bytes) return remote::fail_changed();
  if (item.modified_at == Timestamp()) return bytes;
  if (auto set = set_modified_at(to, target, item.modified_at); !set) return failure_of(set);
  return bytes;
}

Task<Result<void>> FtpAdapter::set_time(const std::string& place, Timestamp time) {
  co_return on_server([&](Session session) { return set_modified_at(session, place, time); });
}

void sweep_behind(std::shared_ptr<Server> server) {
  if (!server->shared.leftovers.claim()) return;
  Pool& pool = server->pool;
  pool.post([server = std::move(server)] { sweep(server, kTries); });
}

}  // namespace coffer::ftp
