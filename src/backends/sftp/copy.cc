#include "backends/sftp/copy.h"

#include <algorithm>

#include "backends/sftp/lost_reply.h"
#include "backends/sftp/removal.h"
#include "backends/sftp/tree.h"
#include "base/log.h"
#include "base/over_quota.h"
#include "storage/partial_name.h"

namespace coffer::sftp {
namespace {

/// Copied by one request: little enough that its answer comes in time.
constexpr std::uint64_t kCopiedAtOnce = 16 * 1024 * 1024;
constexpr std::uint64_t kCopyPieceBytes = 32 * 1024;
constexpr std::size_t kPiecesAtOnce = 32;

/// One tree on its way to another place.
class Copy {
 public:
  Copy(const SftpRemote& remote, const Tree& tree, std::string from, std::string to,
       const storage::CopyOptions& options)
      : remote_(remote),
        tree_(tree),
        from_(std::move(from)),
        to_(std::move(to)),
        left_bytes_(options.limit_bytes),
        watch_(options.watch) {}

  Result<storage::TreeSize> run();

 private:
  Result<void> copy_one(std::size_t index);
  Result<void> copy_file(std::size_t index);
  Result<std::uint64_t> copy_content(const std::string& from, const std::string& to);
  Result<void> copy_piece(const std::string& from, const std::string& to, std::uint64_t offset,
                          std::uint64_t count);
  Result<void> send_piece(const std::string& from, const std::string& to, std::uint64_t offset,
                          std::uint64_t count);
  Result<void> set_times();

  const SftpRemote& remote_;
  const Tree& tree_;
  const std::string from_;
  const std::string to_;
  std::uint64_t left_bytes_;
  storage::CopyWatch& watch_;
  storage::TreeSize size_;
};

bool is_hidden(const Tree& tree, std::size_t index) {
  for (; index != 0; index = tree.items()[index].folder) {
    if (storage::is_hidden_name(tree.items()[index].name)) return true;
  }
  return false;
}

Result<storage::TreeSize> Copy::run() {
  for (std::size_t i = 0; i < tree_.items().size(); ++i) {
    if (is_hidden(tree_, i)) continue;
    if (auto copied = copy_one(i); !copied) return failure_of(copied);
  }
  if (auto set = set_times(); !set) return failure_of(set);
  if (auto on = go_on(watch_); !on) return failure_of(on);
  return size_;
}

Result<void> Copy::copy_one(std::size_t index) {
  if (auto on = go_on(watch_); !on) return on;
  const auto& item = tree_.items()[index].attributes;
  if (item.is_file()) return copy_file(index);
  if (!item.is_folder()) return {};
  ++size_.folders;
  auto made = remote_.make_folder(tree_.place_of(index, to_));
  if (made) watch_.completed_item();
  return made;
}

Result<void> Copy::copy_file(std::size_t index) {
  const auto from = remote_.open_to_read(tree_.place_of(index, from_));
  if (!from) return failure_of(from);
  const auto to = remote_.open_new(tree_.place_of(index, to_));
  Result<void> outcome;
  if (to) {
    const auto copied = copy_content(*from, *to);
    if (copied) size_.bytes += *copied;
    outcome = copied ? remote_.fsync(*to) : failure_of(copied);
    const Attributes time{.modified_s = tree_.items()[index].attributes.modified_s};
    if (outcome && time.modified_s) outcome = remote_.fset(*to, time);
    // Some servers write only now, and tell here that they could not.
    const auto closed = remote_.close(*to);
    if (outcome) outcome = closed;
  } else {
    outcome = failure_of(to);
  }
  remote_.close_behind(*from);
  ++size_.files;
  if (outcome) watch_.completed_item();
  return outcome;
}

Result<std::uint64_t> Copy::copy_content(const std::string& from, const std::string& to) {
  const auto attributes = remote_.fstat(from);
  if (!attributes) return failure_of(attributes);
  const auto size = attributes->size_bytes.value_or(0);
  if (size > left_bytes_) return fail_over_quota();
  left_bytes_ -= size;
  for (std::uint64_t done = 0; done < size; done += kCopiedAtOnce) {
    auto copied = copy_piece(from, to, done, std::min(kCopiedAtOnce, size - done));
    if (!copied) return failure_of(copied);
  }
  const auto made = remote_.fstat(to);
  if (!made) return failure_of(made);
  if (made->size_bytes == size) return size;
  return fail(ErrorCode::refused, "The remote server did not keep the whole file.");
}

Result<void> Copy::copy_piece(const std::string& from, const std::string& to, std::uint64_t offset,
                              std::uint64_t count) {
  if (remote_.connection().extensions().copy_data) {
    auto copied = remote_.copy_data(from, offset, count, to);
    if (copied) watch_.wrote(count);
    return copied ? go_on(watch_) : copied;
  }
  constexpr std::uint64_t kRun = kCopyPieceBytes * kPiecesAtOnce;
  for (std::uint64_t done = 0; done < count; done += kRun) {
    const auto piece = std::min(kRun, count - done);
    if (auto sent = send_piece(from, to, offset + done, piece); !sent) return sent;
    watch_.wrote(piece);
    if (auto on = go_on(watch_); !on) return on;
  }
  return {};
}

/// Through this machine, for servers that cannot copy.
Result<void> Copy::send_piece(const std::string& from, const std::string& to, std::uint64_t offset,
                              std::uint64_t count) {
  auto& connection = remote_.connection();
  const auto stall = connection.deadlines().stall;
  Connection::Batch reads(connection);
  for (std::uint64_t at = 0; at < count; at += kCopyPieceBytes) {
    const auto piece = static_cast<std::uint32_t>(std::min(kCopyPieceBytes, count - at));
    reads.begin(PacketType::read).text(from).u64(offset + at).u32(piece);
  }
  const auto asked = reads.send();
  if (!asked) return failure_of(asked);
  Connection::Batch writes(connection);
  for (std::uint64_t at = 0; const auto& each : *asked) {
    const auto reply = connection.wait(each, stall);
    if (!reply) return failure_of(reply);
    if (reply->type != PacketType::data) return fail_by(*reply);
    const auto data = PacketReader(reply->body).text();
    if (data.size() != std::min(kCopyPieceBytes, count - at)) return fail_garbled();
    writes.begin(PacketType::write).text(to).u64(offset + at).text(data);
    at += kCopyPieceBytes;
  }
  const auto written = writes.send();
  if (!written) return failure_of(written);
  for (const auto& each : *written) {
    const auto reply = connection.wait(each, stall);
    if (!reply) return failure_of(reply);
    if (auto status = status_of(*reply); !status) return status;
  }
  return {};
}

/// Of folders, at the end: what is put into one changes its time.
Result<void> Copy::set_times() {
  for (std::size_t end = tree_.items().size(); end > 0; --end) {
    const auto& item = tree_.items()[end - 1].attributes;
    if (!item.is_folder() || !item.modified_s || is_hidden(tree_, end - 1)) continue;
    if (auto on = go_on(watch_); !on) return on;
    auto set = remote_.set(tree_.place_of(end - 1, to_), {.modified_s = item.modified_s});
    if (!set) return set;
  }
  return {};
}

/// Deletes what was made, on any connection: that of the copy may be what failed.
void rollback(Server& server, const std::string& staged) {
  const auto removed = remove_at(server, staged);
  if (removed && !*removed) return;
  spdlog::warn("An unfinished copy stays on a remote server: {}", staged);
}

}  // namespace

Result<CollectedCopy> collect_copy(Server& server, const Lookup& lookup, const SftpRemote& remote,
                                   const Path& from, const Path& to, const std::string& staging,
                                   const storage::CopyOptions& options) {
  const auto source = lookup.find(remote, from);
  if (!source) return failure_of(source);
  const auto target = lookup.find_name(remote, to);
  if (!target) return failure_of(target);
  if (source->attributes.is_folder() && is_beneath(*target, *source)) {
    return fail(ErrorCode::invalid, "A folder cannot be copied into itself.");
  }
  if (to.is_root() || remote.lstat(target->place)) return fail_taken();
  const auto tree = Tree::read(remote, source->place, source->attributes, options.watch);
  if (!tree) return failure_of(tree);
  const auto staged = target->place.substr(0, target->place.rfind('/') + 1) + staging;
  Copy copy(remote, *tree, source->place, staged, options);
  const auto copied = copy.run();
  if (!copied) {
    rollback(server, staged);
    return failure_of(copied);
  }
  return CollectedCopy{staged, target->place, *copied};
}

Result<void> end_copy(Server& server, const CollectedCopy& copy, Result<void> may_show) {
  Result<void> ended = std::move(may_show);
  if (ended) {
    ended = server.connections().with([&](const auto& connection) -> Result<void> {
      const SftpRemote remote(connection);
      auto shown = rename_surely(server, remote, copy.staged, copy.target);
      if (!shown && remote.lstat(copy.target)) return fail_taken();
      return shown;
    });
  }
  if (!ended) rollback(server, copy.staged);
  return ended;
}

}  // namespace coffer::sftp
