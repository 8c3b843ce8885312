#include "backends/sftp/connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "backends/remote/server_names.h"
#include "backends/sftp/failure.h"
#include "backends/sftp/ssh_session.h"

namespace coffer::sftp {
namespace {

constexpr std::uint32_t kVersion = 3;
/// More than any server sends: OpenSSH's longest packet has 256 KiB.
constexpr std::size_t kMaxPacketBytes = 512 * 1024;
constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::size_t kPacketLengthBytes = 4;
constexpr std::size_t kHeadBytes = 5;  ///< Type and id.

std::size_t length_of(std::string_view arrived) {
  return PacketReader(arrived).u32();
}

Extensions extensions_in(std::string_view version_packet) {
  PacketReader reader(version_packet);
  Extensions found;
  while (!reader.at_end()) {
    const auto name = reader.text();
    const auto version = reader.text();
    if (name == "posix-rename@openssh.com" && version == "1") found.posix_rename = true;
    if (name == "hardlink@openssh.com" && version == "1") found.hard_link = true;
    if (name == "fsync@openssh.com" && version == "1") found.fsync = true;
    if (name == "copy-data" && version == "1") found.copy_data = true;
  }
  return found;
}

/// A session with a server that has shown the pinned key. It may have keys of several kinds and
/// shows one at a time; nothing secret is sent before it has shown the right one.
Result<std::unique_ptr<SshSession>> begin_checked(const SftpOptions& options,
                                                  const TimeLimit& limit) {
  constexpr const char* kKinds[] = {nullptr, "rsa-sha2-512,rsa-sha2-256",
                                    "ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521",
                                    "ssh-ed25519"};
  std::string preferred;
  for (const auto* kinds : kKinds) {
    auto session = SshSession::begin(options, limit, kinds);
    if (!session && kinds == nullptr) return session;
    if (!session) continue;
    TRY(const auto key, (*session)->host_key());
    if (key == options.host_key) return session;
    if (kinds == nullptr) preferred = key;
  }
  if (limit.is_over()) return fail_late();
  return fail(ErrorCode::unavailable, "The host key of " + options.host +
                                          " is not the one that is expected; it is " + preferred +
                                          ".");
}

}  // namespace

Result<std::shared_ptr<Connection>> Connection::open(const SftpOptions& options) {
  TRY_VOID(go_on(options.deadlines));
  const TimeLimit limit(options.opening());
  TRY(auto session, begin_checked(options, limit));
  TRY_VOID(Login(*session, options, limit).run());
  TRY_VOID(session->start_sftp(limit.within(options.deadlines.login)));
  std::shared_ptr<Connection> made(new Connection(std::move(session), options));
  made->opening_ = limit;
  TRY_VOID(made->agree());
  TRY_VOID(made->find_root(options.root));
  made->opening_.reset();
  return made;
}

Connection::Connection(std::unique_ptr<SshSession> session, const SftpOptions& options)
    : session_(std::move(session)),
      deadlines_(options.deadlines),
      character_set_(options.character_set),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      buffer_(kBufferBytes),
      at_the_end_(options.deadlines.ending, AtTheEnd{this}) {}

Connection::~Connection() {
  ::close(wake_);
}

Result<void> Connection::agree() {
  // The version stands where other packets have their id, and so it is the id of the reply.
  const auto asked = std::make_shared<Pending>();
  pending_.emplace(kVersion, asked);
  PacketWriter writer;
  writer.begin(PacketType::init, kVersion);
  writer.end();
  TRY_VOID(send(writer.packets()));
  TRY(const auto reply, wait(asked, deadlines_.login));
  if (reply.type != PacketType::version) return fail_garbled();
  extensions_ = extensions_in(reply.body);
  next_id_ = kVersion + 1;
  return {};
}

Result<void> Connection::find_root(const std::string& wanted) {
  TRY(const auto asked_for, remote::on_server(character_set_, wanted.empty() ? "." : wanted));
  Batch batch(*this);
  batch.begin(PacketType::realpath).text(asked_for);
  TRY(const auto asked, batch.send());
  TRY(const auto reply, wait(asked.front(), deadlines_.reply));
  PacketReader reader(reply.body);
  if (reply.type == PacketType::status) return fail_with(static_cast<Status>(reader.u32()));
  reader.u32();
  const auto root = remote::from_server(character_set_, reader.text());
  if (!root)
    return fail(ErrorCode::refused, "The folder's path is not in the server's character set.");
  root_ = *root;
  // Some servers on Windows answer `C:/folder`.
  const bool has_drive = root_.size() > 2 && root_.substr(1, 2) == ":/";
  const bool is_absolute = root_.starts_with('/') || has_drive;
  if (reply.type != PacketType::name || !is_absolute) return fail_garbled();
  while (root_.ends_with('/')) root_.pop_back();
  // `C:` would be the folder that the server is in on that drive.
  if (root_.ends_with(':') && has_drive) root_ += "/.";
  return {};
}

PacketWriter& Connection::Batch::begin(PacketType type) {
  end();
  const auto id = connection_.next_id_++;
  asked_.emplace_back(id, std::make_shared<Pending>());
  writer_.begin(type, id);
  return writer_;
}

void Connection::Batch::end() {
  if (!asked_.empty()) writer_.end();
}

Result<std::vector<Asked>> Connection::Batch::send() {
  end();
  std::vector<Asked> asked;
  asked.reserve(asked_.size());
  {
    const std::lock_guard lock(connection_.mutex_);
    for (auto& [id, pending] : asked_) {
      connection_.pending_.emplace(id, pending);
      asked.push_back(std::move(pending));
    }
  }
  TRY_VOID(connection_.send(writer_.packets()));
  writer_ = {};
  asked_.clear();
  return asked;
}

Result<void> Connection::send(std::string_view packets) {
  // Packets must not be mixed, while others may wait for their replies.
  const std::lock_guard sending(sending_);
  std::unique_lock lock(mutex_);
  auto last_progress = limit_from_now(deadlines_.stall);
  while (!broken_ && (!packets.empty() || session_->has_unsent())) {
    if (!packets.empty()) {
      const auto taken = session_->write(packets);
      if (!taken) break_with(failure_of(taken));
      if (taken && *taken > 0) last_progress = limit_from_now(deadlines_.stall);
      if (taken) packets.remove_prefix(*taken);
    }
    if (broken_ || (packets.empty() && !session_->has_unsent())) break;
    // The server may have to be heard before it listens.
    wait_for_server(lock, last_progress);
    if (last_progress.is_over()) break_with(fail_late());
  }
  if (broken_) return std::unexpected(*broken_);
  return {};
}

Result<Reply> Connection::wait(const Asked& asked, std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  const auto begun = std::chrono::steady_clock::now();
  if (!asked->reply) pump();
  while (!asked->reply && !broken_) {
    const auto time = left(begun, limit);
    if (time.count() > 0 && !(opening_ && opening_->is_over())) {
      wait_for_server(lock, limit_from_now(time));
    } else {
      break_with(fail_late());
    }
  }
  if (!asked->reply) return std::unexpected(*broken_);
  Reply reply = std::move(*asked->reply);
  asked->reply.reset();
  return reply;
}

std::chrono::milliseconds Connection::left(std::chrono::steady_clock::time_point begun,
                                           std::chrono::milliseconds limit) const {
  constexpr int kLimitsForReply = 10;
  const auto byte_due = std::max(begun, last_byte_) + limit;
  const auto reply_due = std::max(begun, last_reply_) + kLimitsForReply * limit;
  const auto left = std::min(byte_due, reply_due) - std::chrono::steady_clock::now();
  return std::chrono::ceil<std::chrono::milliseconds>(left);
}

TimeLimit Connection::limit_from_now(std::chrono::milliseconds time) const {
  return opening_ ? opening_->within(time) : TimeLimit(time);
}

void Connection::wait_for_server(std::unique_lock<std::mutex>& lock, const TimeLimit& limit) {
  if (someone_polls_) {
    let_unsent_out();
    changed_.wait_until(lock, limit.end());
    return;
  }
  someone_polls_ = true;
  polls_to_send_ = session_->has_unsent();
  pollfd waiting[] = {{session_->fd(), POLLIN, 0}, {wake_, POLLIN, 0}};
  if (polls_to_send_) waiting[0].events |= POLLOUT;
  lock.unlock();
  ::poll(waiting, std::size(waiting), limit.left_ms());
  lock.lock();
  someone_polls_ = false;
  eventfd_t count = 0;
  ::eventfd_read(wake_, &count);
  pump();
  // Even if nothing came: one of the others must poll from here on.
  changed_.notify_all();
}

void Connection::wake_others() {
  changed_.notify_all();
  if (someone_polls_) ::eventfd_write(wake_, 1);
}

/// Receiving may also have made libssh send: windows, new keys. A poll that began before does not
/// wait for that.
void Connection::let_unsent_out() {
  if (someone_polls_ && !polls_to_send_ && session_->has_unsent()) ::eventfd_write(wake_, 1);
}

bool Connection::is_here(const Asked& asked) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && asked->reply;
}

bool Connection::is_alive() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && !is_broken_) pump();
  return !is_broken_;
}

void Connection::pump() {
  while (!broken_) {
    const auto count = session_->read(buffer_);
    if (!count) break_with(failure_of(count));
    if (!count || *count == 0) break;
    last_byte_ = std::chrono::steady_clock::now();
    arrived_.append(buffer_.data(), *count);
    dispatch();
    wake_others();
  }
  let_unsent_out();
}

void Connection::dispatch() {
  std::string_view left = arrived_;
  while (!broken_ && left.size() >= kPacketLengthBytes) {
    const auto length = length_of(left);
    if (length < kHeadBytes || length > kMaxPacketBytes) return break_with(fail_garbled());
    if (left.size() < kPacketLengthBytes + length) break;
    take_packet(left.substr(kPacketLengthBytes, length));
    left.remove_prefix(kPacketLengthBytes + length);
  }
  arrived_.erase(0, arrived_.size() - left.size());
}

void Connection::take_packet(std::string_view packet) {
  PacketReader reader(packet);
  const auto type = static_cast<PacketType>(reader.u8());
  const auto found = pending_.find(reader.u32());
  if (found == pending_.end()) return break_with(fail_garbled());
  found->second->reply.emplace(type, std::string(packet.substr(kHeadBytes)));
  pending_.erase(found);
  ++replies_;
  last_reply_ = std::chrono::steady_clock::now();
}

void Connection::break_with(std::unexpected<Error> error) {
  if (broken_) return;
  broken_ = std::move(error).error();
  is_broken_ = true;
  pending_.clear();
  session_->cut();
  wake_others();
}

void Connection::end() {
  const std::lock_guard lock(mutex_);
  break_with(storage::fail_ending());
}

}  // namespace coffer::sftp
