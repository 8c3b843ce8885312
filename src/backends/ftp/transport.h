#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/remote.h"

namespace coffer::ftp {

/// The sockets of one connection. They are opened here, so that each address is checked before it
/// is connected to, and can be shut down from outside libcurl.
class Sockets {
 public:
  Sockets(storage::MayConnect may_connect, std::uint16_t port);

  /// Makes the handle open and close its sockets here. The handle must not outlive this.
  void attach(CURL* handle);
  /// Allows a connection to the server's own port. Only a login may make one: a command that finds
  /// its connection gone must not get a new one unnoticed.
  void let_connect(bool allowed) { may_open_control_ = allowed; }
  bool refused_address() const { return refused_address_; }
  void forget_refusal() { refused_address_ = false; }

  /// Returns, once, why this machine could not open a socket.
  std::optional<Error> take_lack() { return std::exchange(lack_, std::nullopt); }

  bool none_open() const { return open_.empty(); }
  /// True if the peer has closed, or has sent something unasked, such as that it is about to close.
  bool disturbed() const;
  /// True if bytes of the data connection wait to be received. Its end is none.
  bool has_data() const;
  /// Stops receiving, which ends a wait for a byte.
  void stop_receiving();

 private:
  static curl_socket_t open(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int close(void* self, curl_socket_t socket);
  curl_socket_t open_to(const curl_sockaddr& address);

  const storage::MayConnect may_connect_;
  const std::uint16_t port_;
  bool may_open_control_ = false;
  bool refused_address_ = false;
  std::optional<Error> lack_;
  std::vector<curl_socket_t> open_;
};

/// The step that a connection waits for.
enum class Phase : std::uint8_t { connect, login, reply, transfer };

/// The deadlines of one connection.
class InactivityTimer {
 public:
  explicit InactivityTimer(const storage::Deadlines& limits) : limits_(limits) {}

  /// Starts a command or a transfer.
  void begin(Phase phase);
  /// Marks what has just begun as a listing, which must keep its pace.
  void begin_listing() { is_listing_ = true; }
  /// Counts bytes of a listing.
  void took(std::uint64_t bytes) { taken_bytes_ += bytes; }

  Phase phase() const { return phase_; }
  void enter(Phase phase);
  /// Restarts the deadline, since the server did something or was not expected to.
  void renew() { since_ = std::chrono::steady_clock::now(); }

  /// True if the server is late, and when this program ends.
  bool expired() const;
  /// Returns `timed_out` with the step that is late, or `unavailable` at the end of the program.
  Error error() const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool is_too_slow(Time now) const;

  const storage::Deadlines limits_;
  Phase phase_ = Phase::connect;
  Time since_{};
  Time begun_at_{};
  std::uint64_t taken_bytes_ = 0;
  bool is_listing_ = false;
};

/// Maps a failure of libcurl to an error, the only place that does. Refusals of the server are in
/// reply.h. `host` is the server's name as it was given.
Error transport_error(CURLcode code, const std::string& host);

/// True for failures that mean a dead connection.
bool is_lost_connection(CURLcode code);

}  // namespace coffer::ftp
