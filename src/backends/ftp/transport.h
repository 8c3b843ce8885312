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

/// The sockets of one FTP connection. libcurl opens them through this class, which checks each
/// address before it is connected to, and can shut the sockets down.
class Sockets {
 public:
  Sockets(storage::MayConnect may_connect, std::uint16_t port);

  /// Makes the handle open and close its sockets through this object, which must outlive it.
  void attach(CURL* handle);
  /// Allows or forbids connections to the server's control port. They are allowed only during a
  /// login: a command whose connection is gone must not connect again unnoticed.
  void let_connect(bool allowed) { may_open_control_ = allowed; }
  bool refused_address() const { return refused_address_; }
  void forget_refusal() { refused_address_ = false; }

  /// Returns the error that kept this machine from opening a socket, and clears it; nullopt if
  /// there was none.
  std::optional<Error> take_lack() { return std::exchange(lack_, std::nullopt); }

  bool none_open() const { return open_.empty(); }
  /// True if no socket is open, or if the server has closed one or has sent something unasked, such
  /// as an announcement that it will close.
  bool disturbed() const;
  /// True if bytes of the data connection wait to be received; false at the end of the data.
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

/// The step that a connection is waiting for.
enum class Phase : std::uint8_t { connect, login, reply, transfer };

/// The deadlines of one connection.
class InactivityTimer {
 public:
  explicit InactivityTimer(const storage::Deadlines& limits) : limits_(limits) {}

  /// Starts the deadline of a command or a transfer.
  void begin(Phase phase);
  /// Marks the transfer that has just begun as a listing, which must keep to storage::ListingPace.
  void begin_listing() { is_listing_ = true; }
  /// Counts bytes that have arrived.
  void took(std::uint64_t bytes) { taken_bytes_ += bytes; }

  Phase phase() const { return phase_; }
  void enter(Phase phase);
  /// Restarts the deadline: the server has done something, or had nothing to do until now.
  void renew() { since_ = std::chrono::steady_clock::now(); }

  /// True if the server has missed a deadline, or if this program is ending.
  bool expired() const;
  /// Returns `timed_out`, naming the late step, or `unavailable` if this program is ending.
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

/// Returns the error for a failure of libcurl; all such failures are mapped here. Refusals by the
/// server are mapped in reply.h. `host` is the server's name from the options.
Error transport_error(CURLcode code, const std::string& host);

/// True for failures that mean that the connection is dead.
bool is_lost_connection(CURLcode code);

}  // namespace coffer::ftp
