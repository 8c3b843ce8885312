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

/// The reply to one request: the packet's type, and its content after the request id.
struct Reply {
  PacketType type{};
  std::string body;
};

/// A request that was sent. `reply` is empty until it arrives; Connection::wait moves it out.
struct Pending {
  std::optional<Reply> reply = {};
};
/// Shared with the connection. If the caller drops this pointer, the reply is discarded.
using Asked = std::shared_ptr<Pending>;

/// The extensions of SFTP version 3 that this backend uses; true if the server announces them.
struct Extensions {
  bool posix_rename = false;
  bool hard_link = false;
  bool fsync = false;
  bool copy_data = false;
};

/// One SSH session for SFTP. Several threads can have requests in progress. Sending and waiting
/// block, with time limits. A missed time limit, a lost connection or a malformed packet breaks the
/// connection: all later requests fail. An error status in a reply does not. Safe from any thread.
class Connection {
 public:
  /// Connects, checks the host key, logs in and finds the root. `unavailable` if the host key is
  /// not SftpOptions::host_key; no credential is sent then. Other errors: see SshSession and Login.
  static Result<std::shared_ptr<Connection>> open(const SftpOptions& options);
  ~Connection();

  /// Sends several requests together: for each, call `begin` and append its fields; then `send`.
  class Batch {
   public:
    explicit Batch(Connection& connection) : connection_(connection) {}
    PacketWriter& begin(PacketType type);
    std::size_t size_bytes() const { return writer_.packets().size(); }
    /// Sends the requests. Returns one value per request, in order; pass each to `wait`.
    Result<std::vector<Asked>> send();

   private:
    void end();

    Connection& connection_;
    PacketWriter writer_;
    std::vector<std::pair<std::uint32_t, Asked>> asked_;
  };

  /// Waits for the reply to one request, and returns it. `timed_out` if the server sends no byte
  /// for `limit`, or completes no reply to any request for ten times `limit`.
  Result<Reply> wait(const Asked& asked, std::chrono::milliseconds limit);
  /// Returns true if the reply has arrived. Never waits: if another thread uses the connection at
  /// the moment, returns false.
  bool is_here(const Asked& asked);

  /// Returns false if the connection is broken. First checks whether the server has hung up; skips
  /// this check if another thread uses the connection at the moment. Never waits.
  bool is_alive();
  std::uint64_t replies() const { return replies_; }
  const Extensions& extensions() const { return extensions_; }
  const storage::Deadlines& deadlines() const { return deadlines_; }
  /// Returns the backend's root as an absolute path on the server, without symbolic links and
  /// without a slash at the end; empty for `/`.
  const std::string& root() const { return root_; }
  CharacterSet character_set() const { return character_set_; }

 private:
  Connection(std::unique_ptr<SshSession> session, const SftpOptions& options);
  Result<void> agree();
  Result<void> find_root(const std::string& wanted);
  Result<void> send(std::string_view packets);
  /// Receives the bytes that have arrived. The caller must hold `mutex_` to call this function and
  /// the following ones, up to and including `break_with`.
  void pump();
  void dispatch();
  void wake_others();
  void let_unsent_out();
  void take_packet(std::string_view packet);
  std::chrono::milliseconds left(std::chrono::steady_clock::time_point begun,
                                 std::chrono::milliseconds limit) const;
  TimeLimit limit_from_now(std::chrono::milliseconds time) const;
  void break_with(std::unexpected<Error> error);
  /// Breaks the connection when this program shuts down. Locks `mutex_`; any thread may call it.
  void end();
  /// Waits for bytes from the server, at most until `limit`. Releases the lock meanwhile.
  void wait_for_server(std::unique_lock<std::mutex>& lock, const TimeLimit& limit);

  const std::unique_ptr<SshSession> session_;
  const storage::Deadlines deadlines_;
  const CharacterSet character_set_;
  std::optional<TimeLimit> opening_;  ///< The limit for `open`; empty once that has succeeded.
  Extensions extensions_;
  std::string root_;
  std::atomic<std::uint32_t> next_id_ = 1;
  std::atomic<std::uint64_t> replies_ = 0;

  std::atomic<bool> is_broken_ = false;

  std::mutex sending_;  ///< Held while packets are sent. Locked before `mutex_`.
  std::mutex mutex_;    ///< Guards the session and the members below. Never held during a wait.
  std::condition_variable changed_;
  bool someone_polls_ = false;   ///< A thread polls the socket; the others wait for that thread.
  bool polls_to_send_ = false;   ///< That thread also waits until more bytes can be sent.
  const int wake_;               ///< An eventfd(2) that ends the poll of the polling thread.
  std::optional<Error> broken_;  ///< The error that broke the connection.
  std::vector<char> buffer_;
  std::string arrived_;  ///< The bytes of packets that are not complete yet.
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
