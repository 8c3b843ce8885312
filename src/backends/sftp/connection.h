#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backends/sftp/packet.h"
#include "backends/sftp/sftp_options.h"
#include "backends/sftp/ssh_session.h"
#include "base/error.h"

namespace coffer::sftp {

/// One packet of a server, without its length and id.
struct Reply {
  PacketType type{};
  std::string body;
};

/// A request on its way; its reply is taken by Connection::wait, or dropped with the last pointer.
struct Pending {
  std::optional<Reply> reply = {};
};
using Asked = std::shared_ptr<Pending>;

/// The server's extensions of version 3, as its version packet names them.
struct Extensions {
  bool posix_rename = false;
  bool hard_link = false;
  bool fsync = false;
  bool copy_data = false;
};

/// One login on the server, with the requests of several threads at once. Calls block within the
/// deadlines; after a failure other than a status, the connection is broken and every call on it
/// fails. Safe from any thread.
class Connection {
 public:
  /// Connects and logs in. `unavailable` before any credential is sent if the host key has changed.
  static Result<std::shared_ptr<Connection>> open(const SftpOptions& options);
  ~Connection();

  /// Several requests, built and sent together: `begin` each, then `send`.
  class Batch {
   public:
    explicit Batch(Connection& connection) : connection_(connection) {}
    PacketWriter& begin(PacketType type);
    std::size_t size_bytes() const { return writer_.packets().size(); }
    /// Sends the requests in order. Returns a pending reply for each.
    Result<std::vector<Asked>> send();

   private:
    void end();

    Connection& connection_;
    PacketWriter writer_;
    std::vector<std::pair<std::uint32_t, Asked>> asked_;
  };

  /// Waits for the reply to one request and takes it. `timed_out` if no byte came from the server
  /// for `limit`, or no whole reply for ten times as long.
  Result<Reply> wait(const Asked& asked, std::chrono::milliseconds limit);
  /// Returns the reply if it has arrived and no other thread is receiving; never waits.
  bool is_here(const Asked& asked);

  /// True if the server has not hung up, or a thread is using the connection and no call has failed
  /// yet. Never waits.
  bool is_alive();
  /// The number of replies so far.
  std::uint64_t replies() const { return replies_; }
  const Extensions& extensions() const { return extensions_; }
  const storage::Deadlines& deadlines() const { return deadlines_; }
  /// The backend's root on the server, with neither links nor a slash at the end; empty for `/`.
  const std::string& root() const { return root_; }

 private:
  Connection(std::unique_ptr<SshSession> session, const storage::Deadlines& deadlines);
  Result<void> agree();
  Result<void> find_root(const std::string& wanted);
  Result<void> send(std::string_view packets);
  /// Receives the bytes that have arrived. The lock must be held, as for all below.
  void pump();
  void dispatch();
  void wake_others();
  void let_unsent_out();
  void take_packet(std::string_view packet);
  std::chrono::milliseconds left(std::chrono::steady_clock::time_point begun,
                                 std::chrono::milliseconds limit) const;
  TimeLimit limit_from_now(std::chrono::milliseconds time) const;
  void break_with(std::unexpected<Error> error);
  /// Ends all waits for the server. From any thread, without the lock.
  void end();
  void wait_for_server(std::unique_lock<std::mutex>& lock, const TimeLimit& limit);

  const std::unique_ptr<SshSession> session_;
  const storage::Deadlines deadlines_;
  std::optional<TimeLimit> opening_;  ///< Set until the login is complete.
  Extensions extensions_;
  std::string root_;
  std::atomic<std::uint32_t> next_id_ = 1;
  std::atomic<std::uint64_t> replies_ = 0;

  std::atomic<bool> is_broken_ = false;

  std::mutex sending_;  ///< Held while sending, before the next and longer.
  std::mutex mutex_;    ///< Never held while waiting.
  std::condition_variable changed_;
  bool someone_polls_ = false;  ///< The others wait for what that one receives.
  bool polls_to_send_ = false;  ///< The polling thread also waits until more may be sent.
  const int wake_;  ///< An eventfd(2): another thread received what the polling one may wait for.
  std::optional<Error> broken_;
  std::vector<char> buffer_;
  std::string arrived_;
  std::unordered_map<std::uint32_t, Asked> pending_;
  std::chrono::steady_clock::time_point last_byte_{};
  std::chrono::steady_clock::time_point last_reply_{};

  struct AtTheEnd {
    Connection* connection;
    void operator()() const { connection->end(); }
  };
  const std::stop_callback<AtTheEnd> at_the_end_;
};

}  // namespace coffer::sftp
