#include "backends/sftp/sftp_remote.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "backends/remote/adapter.h"
#include "backends/remote/server_names.h"

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
/// The number of items whose types are asked for at once, if the server leaves them out.
constexpr std::size_t kTypedTogether = 32;

Result<Attributes> attributes_in(const Result<Reply>& reply) {
  if (!reply) return failure_of(reply);
  if (reply->type != PacketType::attributes) return fail_by(*reply);
  PacketReader reader(reply->body);
  auto found = reader.attributes();
  if (!reader.good()) return fail_garbled();
  return found;
}

/// True if the server took the request and refuses it, so that the connection goes on.
bool is_status(const Reply& reply, Status status) {
  return reply.type == PacketType::status &&
         static_cast<Status>(PacketReader(reply.body).u32()) == status;
}

bool is_broken(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

/// True if a reply to READLINK has a target, whatever its characters are.
Result<bool> is_target(const Reply& reply) {
  if (reply.type == PacketType::status) return false;
  PacketReader reader(reply.body);
  const bool is_one = reply.type == PacketType::name && reader.u32() == 1;
  const auto target = reader.text();
  if (!is_one || !reader.good()) return fail_garbled();
  return !target.empty();
}

/// The type by the line that `ls -l` would show, such as `drwxr-xr-x …`; 0 if that is no such line:
/// some servers put the bare name there.
std::uint32_t type_in(std::string_view line) {
  if (line.size() < 10 || line.substr(1, 9).find_first_not_of("rwxsStTlL-") != line.npos) return 0;
  switch (line.front()) {
    case '-':
      return S_IFREG;
    case 'd':
      return S_IFDIR;
    case 'l':
      return S_IFLNK;
    case 'b':
      return S_IFBLK;
    case 'c':
      return S_IFCHR;
    case 'p':
      return S_IFIFO;
    case 's':
      return S_IFSOCK;
    default:
      return 0;
  }
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

Result<std::string> SftpRemote::wire(const std::string& path) const {
  return remote::on_server(connection_->character_set(), path);
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
  std::size_t count = 0;
  Result<void> sendable;
  for (; count < paths.size(); ++count) {
    const auto sent = wire(paths[count]);
    if (!sent) sendable = failure_of(sent);
    if (!sent) break;
    batch.begin(PacketType::lstat).text(*sent);
  }
  Result<std::vector<Asked>> asked;
  if (count > 0) asked = batch.send();
  std::vector<Result<Attributes>> found;
  found.reserve(paths.size());
  // What is behind a link or a file is not looked at: the server follows the link.
  bool is_way = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!asked) {
      found.push_back(failure_of(asked));
      continue;
    }
    const auto reply = connection_->wait((*asked)[i], connection_->deadlines().reply);
    found.push_back(is_way ? settled(paths[i], reply) : attributes_in(reply));
    is_way = is_way && found.back() && found.back()->is_folder();
  }
  if (!sendable) found.push_back(failure_of(sendable));
  return found;
}

Result<Attributes> SftpRemote::lstat(const std::string& path) const {
  TRY(const auto sent, wire(path));
  return settled(path, ask(PacketType::lstat, [&](PacketWriter& to) { to.text(sent); }));
}

/// Finds out the types of items where the server left them out.
Result<void> SftpRemote::find_types(std::span<const Untyped> items) const {
  const auto limit = connection_->deadlines().reply;
  // Links come first: the server would open what they lead to.
  Connection::Batch targets(*connection_);
  for (const Untyped& item : items) targets.begin(PacketType::readlink).text(item.path);
  TRY(const auto targets_asked, targets.send());
  Connection::Batch folders(*connection_);
  std::vector<Attributes*> others;
  for (std::size_t i = 0; i < items.size(); ++i) {
    TRY(const auto reply, connection_->wait(targets_asked[i], limit));
    TRY(const bool is_link, is_target(reply));
    if (is_link) {
      items[i].attributes->set_type(S_IFLNK);
    } else {
      folders.begin(PacketType::opendir).text(items[i].path);
      others.push_back(items[i].attributes);
    }
  }
  TRY(const auto folders_asked, folders.send());
  for (std::size_t i = 0; i < others.size(); ++i) {
    TRY(const auto reply, connection_->wait(folders_asked[i], limit));
    const bool is_open = reply.type == PacketType::handle;
    if (is_open) close_behind(std::string(PacketReader(reply.body).text()));
    const bool is_closed = is_status(reply, Status::permission_denied);
    others[i]->set_type(is_open || is_closed ? S_IFDIR : S_IFREG);
  }
  return {};
}

Result<Attributes> SftpRemote::typed(const std::string& path, Attributes attributes) const {
  if (attributes.has_type()) return attributes;
  TRY(auto sent, wire(path));
  const std::array items{Untyped{std::move(sent), &attributes}};
  TRY_VOID(find_types(items));
  return attributes;
}

/// Returns what a reply to LSTAT says of an item. Some servers have one code for all that fails,
/// also for what is missing: then the listing of its folder decides.
Result<Attributes> SftpRemote::settled(const std::string& path, const Result<Reply>& reply) const {
  auto found = attributes_in(reply);
  if (found) return typed(path, *found);
  if (!reply || !is_status(*reply, Status::failure)) return found;
  ListingProgress progress;
  const auto listed = list_untyped(remote::parent_of(path), progress);
  if (!listed) return found;
  const auto item = std::ranges::find(listed->items, remote::name_of(path), &Listed::name);
  if (item == listed->items.end()) return remote::fail_missing();
  return typed(path, item->attributes);
}

Result<std::string> SftpRemote::readlink(const std::string& path) const {
  TRY(const auto sent, wire(path));
  const auto reply = ask(PacketType::readlink, [&](PacketWriter& to) { to.text(sent); });
  if (!reply) return failure_of(reply);
  if (reply->type != PacketType::name) return fail_by(*reply);
  PacketReader reader(reply->body);
  if (reader.u32() != 1) return fail_garbled();
  auto target = remote::from_server(connection_->character_set(), reader.text());
  if (!target) return remote::fail_missing();
  return *std::move(target);
}

Result<ListedFolder> SftpRemote::list(const std::string& folder,
                                      const storage::ListingBound& bound) const {
  ListingProgress progress;
  if (bound) progress.bound = &bound;
  TRY(auto listed, list_untyped(folder, progress));
  std::vector<Untyped> untyped;
  for (auto& [name, attributes] : listed.items) {
    if (attributes.has_type()) continue;
    TRY(auto sent, wire(remote::in_folder(folder, name)));
    untyped.push_back({std::move(sent), &attributes});
  }
  for (std::span<const Untyped> rest(untyped); !rest.empty();) {
    const auto together = rest.first(std::min(rest.size(), kTypedTogether));
    TRY_VOID(find_types(together));
    for (const Untyped& item : together) progress.bytes += item.path.size();
    TRY_VOID(check_pace(progress));
    rest = rest.subspan(together.size());
  }
  return listed;
}

Result<ListedFolder> SftpRemote::list_untyped(const std::string& folder,
                                              ListingProgress& progress) const {
  TRY(const auto sent, wire(folder));
  const auto handle = handle_from(PacketType::opendir, [&](PacketWriter& to) { to.text(sent); });
  if (!handle) return failure_of(handle);
  ListedFolder found;
  const auto read = read_folder(*handle, found, progress);
  close_behind(*handle);
  if (!read) return failure_of(read);
  return found;
}

Result<void> SftpRemote::check_pace(const ListingProgress& progress) const {
  const auto passed = std::chrono::steady_clock::now() - progress.begun_at;
  if (connection_->deadlines().listing.allows(passed, progress.bytes)) return {};
  return fail(ErrorCode::timed_out, "The remote server sends a listing too slowly.");
}

Result<void> SftpRemote::read_folder(const std::string& handle, ListedFolder& into,
                                     ListingProgress& progress) const {
  const auto& deadlines = connection_->deadlines();
  std::deque<Asked> ahead;
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
    TRY_VOID(check_pace(progress));
    if (progress.bound && !(*progress.bound)(reply->body.size())) {
      return storage::listing_too_large();
    }
    TRY(const auto more, read_names(*reply, into));
    ended = !more;
    progress.bytes += reply->body.size();
    if (into.items.size() > kMaxItems || progress.bytes > kMaxListingBytes) {
      return fail(ErrorCode::refused, "The remote folder holds too many items.");
    }
  }
  return {};
}

Result<bool> SftpRemote::read_names(const Reply& reply, ListedFolder& into) const {
  PacketReader reader(reply.body);
  const auto first = reader.u32();
  if (reply.type == PacketType::status && static_cast<Status>(first) == Status::end_of_file) {
    return false;
  }
  if (reply.type != PacketType::name) return fail_by(reply);
  if (first == 0) return fail_garbled();  // Or it could go on without end.
  for (auto left = first; left > 0; --left) {
    auto name = remote::from_server(connection_->character_set(), reader.text());
    const auto line = reader.text();
    auto attributes = reader.attributes();
    if (!reader.good()) return fail_garbled();
    if (!attributes.has_type()) attributes.set_type(type_in(line));
    if (name && is_plain(*name)) {
      into.items.emplace_back(*std::move(name), attributes);
    } else if (name != "." && name != "..") {
      ++into.left_out;
    }
  }
  return true;
}

Result<std::string> SftpRemote::open_to_read(const std::string& file) const {
  TRY(const auto sent, wire(file));
  return handle_from(PacketType::open,
                     [&](PacketWriter& to) { to.text(sent).u32(kOpenRead).attributes({}); });
}

Result<std::string> SftpRemote::open_new(const std::string& file) const {
  TRY(const auto sent, wire(file));
  return handle_from(PacketType::open, [&](PacketWriter& to) {
    to.text(sent).u32(kOpenWrite | kOpenCreate | kOpenExclusive).attributes({});
  });
}

Result<Attributes> SftpRemote::fstat(const std::string& handle) const {
  return attributes_in(ask(PacketType::fstat, [&](PacketWriter& to) { to.text(handle); }));
}

Result<Attributes> SftpRemote::stat_opened(const std::string& handle,
                                           const std::string& path) const {
  auto told = fstat(handle);
  if (!told && is_broken(told.error())) return told;
  if (told && !told->has_type()) told->set_type(S_IFREG);
  if (!told || !told->size_bytes) told = lstat(path);
  if (!told) return told;
  if (!told->is_file()) return remote::fail_missing();
  if (!told->size_bytes) return fail_without_size();
  return told;
}

Result<void> SftpRemote::set_time_of(const std::string& handle, Timestamp time) const {
  return set_time_by(PacketType::fsetstat, handle, time);
}

Result<void> SftpRemote::fsync(const std::string& handle) const {
  if (!connection_->extensions().fsync) return {};
  TRY(const auto reply, ask(PacketType::extended,
                            [&](PacketWriter& to) { to.text("fsync@openssh.com").text(handle); }));
  const bool is_unavailable =
      is_status(reply, Status::unsupported) || is_status(reply, Status::permission_denied);
  return is_unavailable ? Result<void>() : status_of(reply);
}

Result<void> SftpRemote::close(const std::string& handle) const {
  return command(PacketType::close, [&](PacketWriter& to) { to.text(handle); });
}

/// Some servers do not tell the size of an open file, or know it only once the file is closed.
Result<void> SftpRemote::close_written(const std::string& handle, const std::string& path,
                                       std::uint64_t size_bytes) const {
  const auto open = fstat(handle);
  TRY_VOID(close(handle));
  if (open && open->size_bytes == size_bytes) return {};
  TRY(const auto closed, lstat(path));
  if (closed.size_bytes == size_bytes) return {};
  return fail(ErrorCode::refused, "The remote server did not keep the whole file.");
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
  TRY(const auto sent, wire(path));
  return set_time_by(PacketType::setstat, sent, time);
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
  TRY(const auto sent, wire(path));
  return command(PacketType::mkdir, [&](PacketWriter& to) { to.text(sent).attributes({}); });
}

Result<void> SftpRemote::remove_file(const std::string& path) const {
  TRY(const auto sent, wire(path));
  return command(PacketType::remove, [&](PacketWriter& to) { to.text(sent); });
}

Result<void> SftpRemote::remove_folder(const std::string& path) const {
  TRY(const auto sent, wire(path));
  return command(PacketType::rmdir, [&](PacketWriter& to) { to.text(sent); });
}

Result<void> SftpRemote::rename(const std::string& from, const std::string& to_path) const {
  TRY(const auto old_path, wire(from));
  TRY(const auto new_path, wire(to_path));
  return command(PacketType::rename, [&](PacketWriter& to) { to.text(old_path).text(new_path); });
}

Result<void> SftpRemote::replace(const std::string& from, const std::string& to_path) const {
  TRY(const auto old_path, wire(from));
  TRY(const auto new_path, wire(to_path));
  return command(PacketType::extended, [&](PacketWriter& to) {
    to.text("posix-rename@openssh.com").text(old_path).text(new_path);
  });
}

Result<void> SftpRemote::link(const std::string& from, const std::string& to_path) const {
  TRY(const auto old_path, wire(from));
  TRY(const auto new_path, wire(to_path));
  return command(PacketType::extended, [&](PacketWriter& to) {
    to.text("hardlink@openssh.com").text(old_path).text(new_path);
  });
}

}  // namespace coffer::sftp
