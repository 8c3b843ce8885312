#include "backends/ftp/ftp_adapter.h"

#include <chrono>
#include <utility>

#include "async/run.h"
#include "backends/remote/removal.h"

namespace coffer::ftp {
namespace {

constexpr std::chrono::milliseconds kTryAgainAfter(500);
constexpr int kTries = 60;

/// `not_found` also when the folder of `to` is missing.
Result<void> move_name(Session session, const std::string& from, const std::string& to) {
  TRY_VOID(need_kept_name(session, to));
  TRY(const auto first, session.connection.command_at("RNFR", from, Wanted::more));
  if (!first.wants_more())
    return std::unexpected(reply_error(first, remote::fail_missing().error()));
  return command(session, "RNTO", to);
}

Result<void> delete_file(Session session, const std::string& file, Kind shown_as) {
  TRY(const auto gone, session.connection.command_at("DELE", file));
  if (gone.is_done()) return {};
  if (shown_as != Kind::folder) {
    const auto still = find(session, file);
    if (still && !*still) return remote::fail_missing();
  }
  return std::unexpected(reply_error(gone, refused_item()));
}

/// Lists a folder that may have been renamed meanwhile. A server that looks at each item by its
/// path leaves out items that it does not find, so that such a folder looks empty.
Result<std::vector<FtpItem>> list_in_place(Session session, const std::string& folder) {
  TRY(auto listing, list_all_items(session, folder));
  if (!listing.items.empty()) return std::move(listing.items);
  TRY(const auto there, find(session, folder));
  if (!there) return remote::fail_missing();
  return std::move(listing.items);
}

/// Deletes all leftovers once a connection is free.
void sweep(const std::shared_ptr<Server>& server, int tries_left) {
  auto lease = server->connections->try_acquire();
  if (!lease && tries_left > 0 && storage::go_on(server->options->deadlines)) {
    server->pool.post_after(kTryAgainAfter,
                            [server, tries_left] { sweep(server, tries_left - 1); });
    return;
  }
  Result<Lease> used = fail(ErrorCode::unavailable, "No connection.");
  if (lease) used = *std::move(lease);
  FtpAdapter adapter(server, {}, std::move(used));
  run(remote::sweep(adapter));
}

}  // namespace

template <class Fn>
auto FtpAdapter::on_server(Fn work) -> std::invoke_result_t<Fn, Session> {
  if (!lease_) return failure_of(lease_);
  Connection& connection = **lease_;
  TRY_VOID(connection.ready());
  return work(Session{*server_, connection, &listing_bound()});
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

Task<Result<storage::FolderListing>> FtpAdapter::list_shown(const Path& folder) {
  const auto place = co_await place_of(folder);
  const auto listing = on_server([&](Session session) { return list_all_items(session, *place); });
  if (!listing) co_return failure_of(listing);
  co_return remote::shown_of(*listing);
}

Task<Result<void>> FtpAdapter::make_folder(const std::string& folder) {
  co_return on_server([&](Session session) -> Result<void> {
    TRY_VOID(need_kept_name(session, folder));
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
    TRY(const auto gone, session.connection.command_at("RMD", folder));
    if (gone.is_done()) return {};
    return std::unexpected(reply_error(gone, refused_item()));
  });
}

void sweep_behind(std::shared_ptr<Server> server) {
  if (!server->shared.leftovers.claim()) return;
  Pool& pool = server->pool;
  pool.post([server = std::move(server)] { sweep(server, kTries); });
}

}  // namespace coffer::ftp
