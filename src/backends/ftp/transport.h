#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/curl/curl.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::ftp {

/// The sockets of one FTP connection. libcurl opens and closes its sockets through this class,
/// which opens no socket for an address that `may_connect` refuses.
class Sockets {
 public:
  Sockets(storage::MayConnect may_connect, std::uint16_t port);

  /// Makes `handle` open and close its sockets through this object, which must outlive `handle`.
  void attach(CURL* handle);
  /// Allows or forbids new connections to the server's control port. Class Connection allows them
  /// only during a login; otherwise libcurl would silently reconnect after a lost connection.
  void let_connect(bool allowed) { may_open_control_ = allowed; }
  bool refused_address() const { return refused_address_; }
  void forget_refusal() { refused_address_ = false; }

  /// If this machine had no descriptor left for a socket, returns the error for that (lack_of) and
  /// forgets it. Returns nullopt if there was no such error.
  std::optional<Error> take_lack() { return std::exchange(lack_, std::nullopt); }

  bool none_open() const { return open_.empty(); }
  /// True if no socket is open, or if the server has closed a socket or sent bytes. Call it only
  /// between commands. Any bytes are unexpected then; they may announce that the server closes the
  /// connection.
  bool disturbed() const;
  /// True if unread bytes have arrived on the data connection. False at the end of the data.
  bool has_data() const;
  /// Shuts down all sockets for receiving, which ends every wait for bytes.
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

/// The step that the server must complete next.
enum class Phase : std::uint8_t { connect, login, reply, transfer };

/// Measures how long the server has done nothing. Each phase has its own limit (Deadlines).
class InactivityTimer {
 public:
  explicit InactivityTimer(const storage::Deadlines& limits) : limits_(limits) {}

  /// Called when a command or a transfer begins. Enters the phase and starts its deadline.
  void begin(Phase phase);
  /// Called after `begin` if the transfer is a listing, which must keep to storage::ListingPace.
  void begin_listing() { is_listing_ = true; }
  void took(std::uint64_t bytes) { taken_bytes_ += bytes; }

  Phase phase() const { return phase_; }
  void enter(Phase phase);
  /// Restarts the deadline. Called when the server has done something, or a transfer is resumed.
  void renew() { since_ = std::chrono::steady_clock::now(); }

  /// True if the server has missed a deadline or this program is shutting down.
  bool expired() const;
  /// Call it if `expired`: returns `timed_out`, or `unavailable` if this program is shutting down.
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

/// Returns the error for a failure that libcurl reports. Refusals by the server are mapped in
/// reply.h instead. `host` is FtpOptions::host.
Error transport_error(CURLcode code, const std::string& host);

bool is_lost_connection(CURLcode code);

}  // namespace coffer::ftp
