#include "backends/sftp/sftp_remote.h"

#include <deque>
#include <optional>

namespace coffer::sftp {
namespace {

constexpr std::uint32_t kOpenRead = 0x01;
constexpr std::uint32_t kOpenWrite = 0x02;
constexpr std::uint32_t kOpenCreate = 0x08;
constexpr std::uint32_t kOpenExclusive = 0x20;

/// The number of requests for a folder's items on their way at once.
constexpr std::size_t kReadingsAhead = 4;
/// The limit of a folder's items; more come from a server that never ends.
constexpr std::size_t kMaxItems = 250'000;
constexpr std::size_t kMaxListingBytes = 48 * 1024 * 1024;

Result<Attributes> attributes_in(const Result<Reply>& reply) {
  if (!reply) return failure_of(reply);
  if (reply->type != PacketType::attributes) return fail_by(*reply);
  PacketReader reader(reply->body);
  auto found = reader.attributes();
  if (!reader.good()) return fail_garbled();
  return found;
}

bool is_plain(std::string_view name) {
  constexpr std::size_t kNameLimitBytes = 1024;  // No file system has longer ones.
  return !name.empty() && name.size() <= kNameLimitBytes && name != "." && name != ".." &&
         !name.contains('/') && !name.contains('\0');
}

}  // namespace

Result<void> status_of(const Reply& reply) {
  if (reply.type != PacketType::status) return fail_garbled();
  const auto status = static_cast<Status>(PacketReader(reply.body).u32());
  if (status == Status::ok) return {};
  return fail_with(status);
}

std::unexpected<Error> fail_by(const Reply& reply) {
  auto said = status_of(reply);
  if (said) return fail_garbled();
  return failure_of(said);
}

template <class Build>
Result<Reply> SftpRemote::ask(PacketType type, Build build) const {
  Connection::Batch batch(*connection_);
  build(batch.begin(type));
  TRY(auto asked, batch.send());
  return connection_->wait(asked.front(), connection_->deadlines().reply);
}

template <class Build>
Result<void> SftpRemote::command(PacketType type, Build build) const {
  TRY(const auto reply, ask(type, build));
  return status_of(reply);
}

template <class Build>
Result<std::string> SftpRemote::handle_from(PacketType type, Build build) const {
  TRY(const auto reply, ask(type, build));
  if (reply.type != PacketType::handle) return fail_by(reply);
  return std::string(PacketReader(reply.body).text());
}

std::vector<Result<Attributes>> SftpRemote::lstat(const std::vector<std::string>& paths) const {
  Connection::Batch batch(*connection_);
  for (const auto& path : paths) batch.begin(PacketType::lstat).text(path);
  const auto asked = batch.send();
  std::vector<Result<Attributes>> found;
  found.reserve(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!asked) {
      found.push_back(failure_of(asked));
      continue;
    }
    const auto reply = connection_->wait((*asked)[i], connection_->deadlines().reply);
    found.push_back(attributes_in(reply));
  }
  return found;
}

Result<Attributes> SftpRemote::lstat(const std::string& path) const {
  return attributes_in(ask(PacketType::lstat, [&](PacketWriter& to) { to.text(path); }));
}

Result<std::string> SftpRemote::readlink(const std::string& path) const {
  const auto reply = ask(PacketType::readlink, [&](PacketWriter& to) { to.text(path); });
  if (!reply) return failure_of(reply);
  if (reply->type != PacketType::name) return fail_by(*reply);
  PacketReader reader(reply->body);
  if (reader.u32() != 1) return fail_garbled();
  return std::string(reader.text());
}

Result<std::vector<Listed>> SftpRemote::list(const std::string& folder) const {
  const auto handle = handle_from(PacketType::opendir, [&](PacketWriter& to) { to.text(folder); });
  if (!handle) return failure_of(handle);
  std::vector<Listed> found;
  const auto read = read_folder(*handle, found);
  close_behind(*handle);
  if (!read) return failure_of(read);
  return found;
}

Result<void> SftpRemote::read_folder(const std::string& handle, std::vector<Listed>& into) const {
  const auto begun_at = std::chrono::steady_clock::now();
  const auto& deadlines = connection_->deadlines();
  std::deque<Asked> ahead;
  std::size_t listing_bytes = 0;
  for (bool ended = false; !ended || !ahead.empty();) {
    Connection::Batch batch(*connection_);
    for (auto count = ended ? 0 : kReadingsAhead - ahead.size(); count > 0; --count) {
      batch.begin(PacketType::readdir).text(handle);
    }
    TRY(const auto asked, batch.send());
    ahead.insert(ahead.end(), asked.begin(), asked.end());
    const auto reply = connection_->wait(ahead.front(), deadlines.reply);
    ahead.pop_front();
    if (!reply) return failure_of(reply);
    if (ended) continue;
    if (!deadlines.listing.allows(std::chrono::steady_clock::now() - begun_at, listing_bytes)) {
      return fail(ErrorCode::timed_out, "The remote server sends a listing too slowly.");
    }
    TRY(const auto more, read_names(*reply, into));
    ended = !more;
    listing_bytes += reply->body.size();
    if (into.size() > kMaxItems || listing_bytes > kMaxListingBytes) {
      return fail(ErrorCode::refused, "The remote folder holds too many items.");
    }
  }
  return {};
}

Result<bool> SftpRemote::read_names(const Reply& reply, std::vector<Listed>& into) const {
  PacketReader reader(reply.body);
  const auto first = reader.u32();
  if (reply.type == PacketType::status && static_cast<Status>(first) == Status::end_of_file) {
    return false;
  }
  if (reply.type != PacketType::name) return fail_by(reply);
  if (first == 0) return fail_garbled();  // Or it could go on without end.
  for (auto left = first; left > 0; --left) {
    const auto name = reader.text();
    reader.text();  // The line that `ls -l` would show.
    const auto attributes = reader.attributes();
    if (!reader.good()) return fail_garbled();
    if (is_plain(name)) into.emplace_back(std::string(name), attributes);
  }
  return true;
}

Result<std::string> SftpRemote::open_to_read(const std::string& file) const {
  return handle_from(PacketType::open,
                     [&](PacketWriter& to) { to.text(file).u32(kOpenRead).attributes({}); });
}

Result<std::string> SftpRemote::open_new(const std::string& file) const {
  return handle_from(PacketType::open, [&](PacketWriter& to) {
    to.text(file).u32(kOpenWrite | kOpenCreate | kOpenExclusive).attributes({});
  });
}

Result<Attributes> SftpRemote::fstat(const std::string& handle) const {
  return attributes_in(ask(PacketType::fstat, [&](PacketWriter& to) { to.text(handle); }));
}

Result<void> SftpRemote::set_time_of(const std::string& handle, Timestamp time) const {
  return set_time_by(PacketType::fsetstat, handle, time);
}

Result<void> SftpRemote::fsync(const std::string& handle) const {
  if (!connection_->extensions().fsync) return {};
  return command(PacketType::extended,
                 [&](PacketWriter& to) { to.text("fsync@openssh.com").text(handle); });
}

Result<void> SftpRemote::close(const std::string& handle) const {
  return command(PacketType::close, [&](PacketWriter& to) { to.text(handle); });
}

void SftpRemote::close_behind(const std::string& handle) const {
  Connection::Batch batch(*connection_);
  batch.begin(PacketType::close).text(handle);
  // A connection that is broken has closed it already.
  static_cast<void>(batch.send());
}

Result<void> SftpRemote::copy_data(const std::string& from, std::uint64_t offset,
                                   std::uint64_t count, const std::string& to_handle) const {
  return command(PacketType::extended, [&](PacketWriter& to) {
    to.text("copy-data").text(from).u64(offset).u64(count).text(to_handle).u64(offset);
  });
}

Result<void> SftpRemote::set_time(const std::string& path, Timestamp time) const {
  return set_time_by(PacketType::setstat, path, time);
}

Result<void> SftpRemote::set_time_by(PacketType type, const std::string& item,
                                     Timestamp time) const {
  const Attributes attributes{.modified_s = to_seconds(time)};
  if (!attributes.modified_s) return {};
  auto set = command(type, [&](PacketWriter& to) { to.text(item).attributes(attributes); });
  if (set) return set;
  const ErrorCode code = set.error().code;
  if (code == ErrorCode::unavailable || code == ErrorCode::timed_out) return set;
  return {};
}

Result<void> SftpRemote::make_folder(const std::string& path) const {
  return command(PacketType::mkdir, [&](PacketWriter& to) { to.text(path).attributes({}); });
}

Result<void> SftpRemote::remove_file(const std::string& path) const {
  return command(PacketType::remove, [&](PacketWriter& to) { to.text(path); });
}

Result<void> SftpRemote::remove_folder(const std::string& path) const {
  return command(PacketType::rmdir, [&](PacketWriter& to) { to.text(path); });
}

Result<void> SftpRemote::rename(const std::string& from, const std::string& to_path) const {
  return command(PacketType::rename, [&](PacketWriter& to) { to.text(from).text(to_path); });
}

Result<void> SftpRemote::replace(const std::string& from, const std::string& to_path) const {
  return command(PacketType::extended, [&](PacketWriter& to) {
    to.text("posix-rename@openssh.com").text(from).text(to_path);
  });
}

Result<void> SftpRemote::link(const std::string& from, const std::string& to_path) const {
  return command(PacketType::extended, [&](PacketWriter& to) {
    to.text("hardlink@openssh.com").text(from).text(to_path);
  });
}

}  // namespace coffer::sftp
