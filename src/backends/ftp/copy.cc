#include "backends/ftp/copy.h"

#include <algorithm>
#include <utility>

#include "backends/ftp/names.h"
#include "backends/ftp/tree_changes.h"
#include "backends/ftp/walk.h"
#include "base/over_quota.h"

namespace coffer::ftp {
namespace {

constexpr std::size_t kBlockBytes = 1024 * 1024;

Error source_changed() {
  return {ErrorCode::conflict,
          "The source changed while it was copied, so nothing was stored. Try again."};
}

/// One file on its way from one connection to the other.
class FileCopy {
 public:
  FileCopy(Connection& from, Connection& to, storage::CopyWatch& watch)
      : from_(from), to_(to), watch_(watch) {}

  /// Returns how many bytes were copied.
  Result<std::uint64_t> run(const std::string& source, const std::string& target) {
    auto reading = from_.begin_download(source, 0, [this](auto data) { return take(data); });
    if (!reading) return failure_of(reading);
    auto writing = to_.begin_upload(target, [this](auto out) { return give(out); });
    if (writing) writing = pump();
    if (!writing) {
      from_.abort();
      to_.abort();
      return failure_of(writing);
    }
    return copied_;
  }

 private:
  Result<void> pump() {
    while (!read_all_) {
      from_.wake();
      while (!read_all_ && block_.size() < kBlockBytes) {
        if (auto on = go_on(watch_); !on) return on;
        const auto done = from_.advance(true);
        if (!done) return failure_of(done);
        read_all_ = *done;
      }
      if (auto sent = send(); !sent) return sent;
    }
    return {};
  }

  Result<void> send() {
    to_.unpause();
    for (;;) {
      if (auto on = go_on(watch_); !on) return on;
      const auto done = to_.advance(true);
      if (!done) return failure_of(done);
      if (*done && read_all_ && given_ == block_.size()) break;
      if (*done) return fail(ErrorCode::unavailable, "The FTP server ended the upload early.");
      if (!read_all_ && given_ == block_.size()) break;
    }
    watch_.wrote(block_.size());
    block_.clear();
    given_ = 0;
    return {};
  }

  bool take(std::span<const std::byte> data) {
    if (block_.size() >= kBlockBytes) return false;
    block_.insert(block_.end(), data.begin(), data.end());
    copied_ += data.size();
    return true;
  }

  std::optional<std::size_t> give(std::span<std::byte> out) {
    const auto count = std::min(out.size(), block_.size() - given_);
    std::ranges::copy(std::span(block_).subspan(given_, count), out.begin());
    given_ += count;
    if (count == 0 && !read_all_) return std::nullopt;
    return count;
  }

  Connection& from_;
  Connection& to_;
  storage::CopyWatch& watch_;
  std::vector<std::byte> block_;
  std::size_t given_ = 0;
  std::uint64_t copied_ = 0;
  bool read_all_ = false;
};

class TreeCopy {
 public:
  TreeCopy(Session from, Session to, const storage::CopyOptions& options)
      : from_(from),
        to_(to),
        limit_bytes_(options.limit_bytes),
        watch_(options.watch),
        walk_(from.server.options->walk) {}

  Result<void> copy(const FtpItem& item, const Path& source, const Path& target,
                    std::size_t depth) {
    if (auto on = go_on(watch_); !on) return on;
    auto copied = item.kind == Kind::folder ? copy_folder(source, target, depth)
                                            : copy_file(item, source, target);
    if (copied) copied = keep_time(item, target);
    return copied;
  }
  const storage::TreeSize& size() const { return size_; }

 private:
  Result<void> copy_file(const FtpItem& item, const Path& source, const Path& target) {
    if (item.size_bytes > limit_bytes_ - size_.bytes) return fail_over_quota();
    FileCopy file(from_.connection, to_.connection, watch_);
    const auto bytes = file.run(from_.connection.place(source), to_.connection.place(target));
    if (!bytes) return std::unexpected(explain_unread(source, bytes.error()));
    if (*bytes > limit_bytes_ - size_.bytes) return fail_over_quota();
    const auto arrived = metadata_of(to_, target);
    if (!arrived) return failure_of(arrived);
    if (*bytes != item.size_bytes || arrived->size_bytes != *bytes) {
      return std::unexpected(source_changed());
    }
    size_.bytes += *bytes;
    ++size_.files;
    watch_.completed_item();
    return {};
  }

  /// Of a file that is gone, servers say that they refuse it.
  Error explain_unread(const Path& source, const Error& error) {
    if (error.code != ErrorCode::forbidden || !from_.connection.ready()) return error;
    const auto now = metadata_of(from_, source);
    return !now && now.error().code == ErrorCode::not_found ? source_changed() : error;
  }

  Result<void> copy_folder(const Path& source, const Path& target, std::size_t depth) {
    const auto made = to_.connection.command("MKD " + to_.connection.place(target));
    if (!made) return failure_of(made);
    if (!made->ok()) return std::unexpected(explain(to_, target, *made));
    ++size_.folders;
    watch_.completed_item();
    auto items = list_in_place(source, depth);
    if (!items && items.error().code == ErrorCode::not_found) {
      return std::unexpected(source_changed());
    }
    if (!items) return failure_of(items);
    for (const auto& item : *items) {
      if (!is_complete(item) || item.kind == Kind::folder) continue;
      const Path name = Path::parse(item.name).value();
      auto copied = copy(item, source / name, target / name, depth + 1);
      if (!copied) return copied;
    }
    for (const auto& item : folders_of(std::move(*items))) {
      const Path name = Path::parse(item.name).value();
      auto copied = copy(item, source / name, target / name, depth + 1);
      if (!copied) return copied;
    }
    return {};
  }

  /// A server that looks at each item by its path leaves out what it does not find: a folder that
  /// got another name while it was listed looks empty.
  Result<std::vector<FtpItem>> list_in_place(const Path& folder, std::size_t depth) {
    auto items = walk_.list(from_, folder, depth);
    if (!items || !items->empty()) return items;
    const auto there = find(from_, folder);
    if (!there) return failure_of(there);
    if (!*there) return std::unexpected(source_changed());
    return items;
  }

  /// A server that does not set a folder's time has a copy from today; nothing depends on it.
  Result<void> keep_time(const FtpItem& item, const Path& target) {
    auto& connection = to_.connection;
    if (!connection.features().mfmt || item.modified_at == Timestamp()) return {};
    const auto set = connection.command("MFMT " + format_time_value(item.modified_at) + " " +
                                        connection.place(target));
    if (!set) return failure_of(set);
    return {};
  }

  Session from_;
  Session to_;
  const std::uint64_t limit_bytes_;
  storage::CopyWatch& watch_;
  Walk walk_;
  storage::TreeSize size_;
};

Result<void> show(Session session, const Path& partial, const Path& target) {
  const std::lock_guard lock(session.server.names);
  if (auto free = need_free_name(session, target); !free) return free;
  return move_verified(session, partial, target);
}

Result<void> check_target(Session session, const Path& target) {
  if (auto free = need_free_name(session, target); !free) return free;
  const auto folder = metadata_of(session, target.parent());
  if (!folder) return failure_of(folder);
  if (folder->kind == Kind::folder) return {};
  return fail(ErrorCode::invalid, "A file is where a folder is needed.");
}

/// After a stop the caller waits for this; after a failure of the server it runs in the background.
void rollback(Session session, const Path& partial, const storage::CopyWatch& watch) {
  storage::TreeSize size;
  if (watch.was_cancelled() && session.connection.ready() && delete_tree(session, partial, size)) {
    return;
  }
  session.server.discard(partial);
}

}  // namespace

Result<storage::TreeSize> collect_copy(Session from, Session to, const CopyRoute& route,
                                       const storage::CopyOptions& options) {
  const auto item = metadata_of(from, route.source);
  if (!item) return failure_of(item);
  if (is_hidden(*item)) return std::unexpected(no_such_item());
  if (item->kind == Kind::folder && route.target.is_within(route.source)) {
    return fail(ErrorCode::invalid, "A folder cannot go into itself.");
  }
  if (auto free = check_target(to, route.target); !free) return failure_of(free);
  TreeCopy tree(from, to, options);
  if (auto copied = tree.copy(*item, route.source, route.partial, 0); !copied) {
    rollback(to, route.partial, options.watch);
    return failure_of(copied);
  }
  return tree.size();
}

Result<void> end_copy(Session session, const CopyRoute& route, Result<void> may_show,
                      const storage::CopyOptions& options) {
  if (may_show) may_show = session.connection.ready();
  if (may_show) may_show = show(session, route.partial, route.target);
  if (!may_show) rollback(session, route.partial, options.watch);
  return may_show;
}

}  // namespace coffer::ftp
