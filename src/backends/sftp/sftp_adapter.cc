#include "backends/sftp/sftp_adapter.h"

#include <algorithm>

#include "async/run.h"
#include "backends/remote/removal.h"
#include "backends/remote/walk.h"
#include "base/error.h"
#include "storage/partial_name.h"

namespace coffer::sftp {
namespace {

/// The size of one copying request: little enough for the reply to come in time.
constexpr std::uint64_t kCopiedAtOnce = 16 * 1024 * 1024;
constexpr std::uint64_t kCopyPieceBytes = 32 * 1024;
constexpr std::size_t kPiecesAtOnce = 32;

/// A copy from one open file to another.
class FileCopy {
 public:
  FileCopy(const SftpRemote& remote, const std::string& from, const std::string& to,
           storage::CopyWatch& watch)
      : remote_(remote), from_(from), to_(to), watch_(watch) {}

  /// `source` are the attributes of `from`.
  Result<void> copy_content(const Attributes& source);

 private:
  Result<void> copy_piece(std::uint64_t offset, std::uint64_t count);
  Result<void> send_piece(std::uint64_t offset, std::uint64_t count);

  const SftpRemote& remote_;
  const std::string& from_;
  const std::string& to_;
  storage::CopyWatch& watch_;
};

Result<void> FileCopy::copy_content(const Attributes& source) {
  const auto size = *source.size_bytes;
  for (std::uint64_t done = 0; done < size; done += kCopiedAtOnce) {
    TRY_VOID(copy_piece(done, std::min(kCopiedAtOnce, size - done)));
  }
  TRY_VOID(remote_.fsync(to_));
  if (source.modified_s) {
    TRY_VOID(remote_.set_time_of(to_, timestamp_of(*source.modified_s)));
  }
  return {};
}

Result<void> FileCopy::copy_piece(std::uint64_t offset, std::uint64_t count) {
  if (remote_.connection().extensions().copy_data) {
    auto copied = remote_.copy_data(from_, offset, count, to_);
    if (copied) watch_.wrote(count);
    return copied ? go_on(watch_) : copied;
  }
  constexpr std::uint64_t kRun = kCopyPieceBytes * kPiecesAtOnce;
  for (std::uint64_t done = 0; done < count; done += kRun) {
    const auto piece = std::min(kRun, count - done);
    TRY_VOID(send_piece(offset + done, piece));
    watch_.wrote(piece);
    TRY_VOID(go_on(watch_));
  }
  return {};
}

/// Copies through this machine, for servers that cannot copy.
Result<void> FileCopy::send_piece(std::uint64_t offset, std::uint64_t count) {
  auto& connection = remote_.connection();
  const auto stall = connection.deadlines().stall;
  Connection::Batch reads(connection);
  for (std::uint64_t at = 0; at < count; at += kCopyPieceBytes) {
    const auto piece = static_cast<std::uint32_t>(std::min(kCopyPieceBytes, count - at));
    reads.begin(PacketType::read).text(from_).u64(offset + at).u32(piece);
  }
  TRY(const auto asked, reads.send());
  Connection::Batch writes(connection);
  for (std::uint64_t at = 0; const auto& each : asked) {
    TRY(const auto reply, connection.wait(each, stall));
    if (reply.type != PacketType::data) return fail_by(reply);
    const auto data = PacketReader(reply.body).text();
    if (data.size() != std::min(kCopyPieceBytes, count - at)) return fail_garbled();
    writes.begin(PacketType::write).text(to_).u64(offset + at).text(data);
    at += kCopyPieceBytes;
  }
  TRY(const auto written, writes.send());
  for (const auto& each : written) {
    TRY(const auto reply, connection.wait(each, stall));
    TRY_VOID(status_of(reply));
  }
  return {};
}

constexpr std::size_t kRemovedAtOnce = 64;
constexpr storage::WalkLimits kWalkLimits{
    .folders = SIZE_MAX, .items = 1'000'000, .name_bytes = 48 * 1024 * 1024, .depth = SIZE_MAX};

/// Lists a folder that may have been renamed meanwhile. A server that looks at each item by its
/// path leaves out items that it does not find, so that such a folder looks empty.
Result<std::vector<Listed>> list_in_place(const SftpRemote& remote, const std::string& place) {
  TRY(auto listed, remote.list(place));
  if (listed.items.empty()) {
    TRY([[maybe_unused]] const auto there, remote.lstat(place));
  }
  return std::move(listed.items);
}

/// Links are shown as their targets.
Result<storage::FolderListing> show_folder(const Lookup& lookup, const SftpRemote& remote,
                                           const Path& folder, const storage::ListingBound& bound) {
  TRY(const auto found, lookup.find(remote, folder));
  if (!found.attributes.is_folder()) return fail_with(Status::not_a_folder);
  TRY(auto listed, remote.list(found.place, bound));
  storage::FolderListing shown{.left_out = listed.left_out};
  shown.entries.reserve(listed.items.size());
  for (auto& [name, attributes] : listed.items) {
    const bool is_link = attributes.is_link();
    const bool has_shown_name = is_shown(name);
    if (is_link && has_shown_name) {
      const auto target = lookup.find(remote, folder / *Path::parse(name));
      if (target) attributes = target->attributes;
    }
    const bool is_item = attributes.is_file() || attributes.is_folder();
    if (!has_shown_name || !is_item) {
      if (!storage::is_hidden_name(name)) ++shown.left_out;
      continue;
    }
    shown.entries.push_back(entry_of(item_of(std::move(name), attributes)));
    shown.entries.back().is_link = is_link;
  }
  return shown;
}

/// Copies an open file, which is at `from`.
Result<std::uint64_t> copy_opened(const SftpRemote& remote, const std::string& source,
                                  const std::string& from, const std::string& to,
                                  std::uint64_t limit_bytes, storage::CopyWatch& watch) {
  TRY(const auto attributes, remote.stat_opened(source, from));
  const std::uint64_t size = *attributes.size_bytes;
  if (size > limit_bytes) return fail_over_quota();
  TRY(const auto target, remote.open_new(to));
  const auto copied = FileCopy(remote, source, target, watch).copy_content(attributes);
  if (!copied) {
    static_cast<void>(remote.close(target));
    return failure_of(copied);
  }
  // Some servers write only now, and tell here that they could not.
  TRY_VOID(remote.close_written(target, to, size));
  return size;
}

/// Deletes the last of the items of a tree, and returns how many are left. The server takes
/// requests in order. An item that is gone already is no failure.
Result<std::size_t> remove_some(const SftpRemote& remote, const std::string& top,
                                std::span<const remote::TreeItem> items, Result<void>& refusal) {
  auto& connection = remote.connection();
  Connection::Batch batch(connection);
  const auto begin = items.size() - std::min(items.size(), kRemovedAtOnce);
  for (auto end = items.size(); end > begin; --end) {
    const bool is_folder = items[end - 1].is_folder;
    TRY(const auto path, remote.wire(top + remote::below_top(items, end - 1)));
    batch.begin(is_folder ? PacketType::rmdir : PacketType::remove).text(path);
  }
  TRY(const auto asked, batch.send());
  for (const auto& each : asked) {
    TRY(const auto reply, connection.wait(each, connection.deadlines().reply));
    auto status = status_of(reply);
    if (!status && refusal && status.error().code != ErrorCode::not_found) refusal = status;
  }
  return begin;
}

}  // namespace

Result<std::uint64_t> copy_file(const SftpRemote& remote, const std::string& from,
                                const std::string& to, std::uint64_t limit_bytes,
                                storage::CopyWatch& watch) {
  TRY(const auto source, remote.open_to_read(from));
  auto copied = copy_opened(remote, source, from, to, limit_bytes, watch);
  remote.close_behind(source);
  return copied;
}

remote::Item item_of(std::string name, const Attributes& attributes) {
  const auto kind = attributes.is_folder() ? remote::Kind::folder
                    : attributes.is_file() ? remote::Kind::file
                    : attributes.is_link() ? remote::Kind::link
                                           : remote::Kind::other;
  return {std::move(name), kind, attributes.size_bytes.value_or(0),
          timestamp_of(attributes.modified_s.value_or(0))};
}

template <class Fn>
auto SftpAdapter::look(Fn work) -> std::invoke_result_t<Fn, const SftpRemote&> {
  if (!is_unsure()) {
    auto result = work(SftpRemote(connection_));
    if (result || !is_unsure() || !std::exchange(has_broken_, true)) return result;
  }
  const auto on_connection = [&](const SftpRemote& remote) {
    connection_ = remote.shared();
    return work(remote);
  };
  if (has_broken_) return server_->retry_on_new_connection(on_connection);
  return server_->connections().with(
      [&](const auto& connection) { return on_connection(SftpRemote(connection)); });
}

template <class Fn>
auto SftpAdapter::change(Fn work) -> std::invoke_result_t<Fn, const SftpRemote&> {
  if (is_unsure()) {
    TRY(auto leased, server_->connections().lease());
    connection_ = std::move(leased.connection);
  }
  auto result = work(SftpRemote(connection_));
  has_broken_ = has_broken_ || is_unsure();
  return result;
}

remote::Capabilities SftpAdapter::capabilities() const {
  const auto can = connection_ ? connection_->extensions() : Extensions();
  return {.replaces = can.posix_rename ? remote::Replaces::surely : remote::Replaces::never,
          .links = can.posix_rename && can.hard_link,
          .keeps_links = true,
          .changes_case = false,
          .tree_removal = remote::TreeRemoval::listed,
          .walk = kWalkLimits};
}

Task<void> SftpAdapter::carry_out(Task<void> steps) {
  auto work = [&] { run(std::move(steps)); };
  co_await server_->run(std::move(work));
}

Task<Result<std::string>> SftpAdapter::place_of(const Path& path) {
  auto found = look([&](const SftpRemote& remote) { return lookup_.find_name(remote, path); });
  if (!found) co_return failure_of(found);
  co_return std::move(found->place);
}

Task<Result<remote::Found>> SftpAdapter::find_item(const Path& path, remote::Look /*look*/) {
  auto found = look([&](const SftpRemote& remote) { return lookup_.find(remote, path); });
  if (!found) co_return failure_of(found);
  auto item = item_of(std::string(path.name()), found->attributes);
  co_return remote::Found{std::move(found->place), std::move(item)};
}

Task<Result<std::optional<remote::Item>>> SftpAdapter::find(const std::string& place,
                                                            remote::Look how) {
  // `place_of` has just found the folder.
  if (how == remote::Look::parent) co_return remote::Item{.kind = remote::Kind::folder};
  const auto item = look([&](const SftpRemote& remote) { return remote.lstat(place); });
  if (item) co_return item_of(std::string(remote::name_of(place)), *item);
  if (item.error().code == ErrorCode::not_found) co_return std::nullopt;
  co_return failure_of(item);
}

Task<Result<std::vector<remote::Item>>> SftpAdapter::list(const std::string& folder) {
  auto listed = look([&](const SftpRemote& remote) { return list_in_place(remote, folder); });
  if (!listed) co_return failure_of(listed);
  std::vector<remote::Item> items;
  items.reserve(listed->size());
  for (auto& [name, attributes] : *listed) items.push_back(item_of(std::move(name), attributes));
  co_return items;
}

Task<Result<storage::FolderListing>> SftpAdapter::list_shown(const Path& folder) {
  co_return look([&](const SftpRemote& remote) {
    return show_folder(lookup_, remote, folder, listing_bound());
  });
}

Task<Result<void>> SftpAdapter::make_folder(const std::string& folder) {
  co_return change([&](const SftpRemote& remote) -> Result<void> {
    auto made = remote.make_folder(folder);
    // The protocol has one code for all that went wrong.
    if (!made && remote.connection().is_alive() && remote.lstat(folder))
      return remote::fail_taken();
    return made;
  });
}

Task<Result<void>> SftpAdapter::move(const std::string& from, const std::string& to,
                                     remote::Kind /*kind*/) {
  co_return change([&](const SftpRemote& remote) -> Result<void> {
    auto moved = remote.rename(from, to);
    if (!moved && remote.connection().is_alive() && remote.lstat(to)) return remote::fail_taken();
    return moved;
  });
}

Task<Result<void>> SftpAdapter::replace(const std::string& from, const std::string& to,
                                        const remote::Item* /*old*/) {
  co_return change([&](const SftpRemote& remote) { return remote.replace(from, to); });
}

Task<Result<void>> SftpAdapter::link(const std::string& from, const std::string& to) {
  co_return change([&](const SftpRemote& remote) { return remote.link(from, to); });
}

Task<Result<void>> SftpAdapter::remove_file(const std::string& file, remote::Kind /*shown_as*/) {
  co_return change([&](const SftpRemote& remote) { return remote.remove_file(file); });
}

Task<Result<void>> SftpAdapter::remove_folder(const std::string& folder) {
  co_return change([&](const SftpRemote& remote) { return remote.remove_folder(folder); });
}

Result<void> SftpAdapter::remove_items(const std::string& top,
                                       const std::vector<remote::TreeItem>& items) {
  Result<void> refusal;
  std::span<const remote::TreeItem> left = items;
  const auto work = [&](const SftpRemote& remote) -> Result<void> {
    connection_ = remote.shared();
    while (!left.empty()) {
      TRY_VOID(go_on());
      TRY(const auto begin, remove_some(remote, top, left, refusal));
      left = left.first(begin);
    }
    return {};
  };
  auto done = server_->retry_on_new_connection(work);
  return done ? refusal : done;
}

Task<Result<void>> SftpAdapter::remove_now(const std::string& top) {
  CO_TRY(auto item, co_await find(top, remote::Look::sure));
  if (!item) co_return Result<void>();
  std::vector<remote::TreeItem> items;
  const remote::Found found{top, *std::move(item)};
  CO_TRY([[maybe_unused]] const auto read, co_await remote::measure(*this, found, &items));
  co_return remove_items(top, items);
}

Task<Result<void>> SftpAdapter::remove_tree(const std::string& top,
                                            const std::vector<remote::TreeItem>& items) {
  if (items.empty()) co_return co_await remove_now(top);
  auto removed = remove_items(top, items);
  if (removed || remote::is_outage(removed.error())) co_return removed;
  // Something may have been put into it after it was read.
  const auto rest = co_await remove_now(top);
  if (rest) co_return rest;
  co_return fail(removed.error().code, "The remote server refused to delete a part of the folder.");
}

Task<Result<std::uint64_t>> SftpAdapter::copy_file(const std::string& from, const std::string& to,
                                                   const remote::Item& /*item*/,
                                                   std::uint64_t limit_bytes,
                                                   storage::CopyWatch& watch) {
  co_return change([&](const SftpRemote& remote) {
    return sftp::copy_file(remote, from, to, limit_bytes, watch);
  });
}

Task<Result<void>> SftpAdapter::set_time(const std::string& folder, Timestamp time) {
  co_return change([&](const SftpRemote& remote) { return remote.set_time(folder, time); });
}

void sweep_behind(const std::shared_ptr<Server>& server) {
  if (!server->shared().leftovers.claim()) return;
  auto work = [server] {
    const Lookup lookup;
    SftpAdapter adapter(server, lookup);
    run(remote::sweep(adapter));
  };
  Server::run_background(server, std::move(work));
}

}  // namespace coffer::sftp
