#pragma once

#include <curl/curl.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/remote.h"

namespace coffer::ftp {

/// The sockets of one connection: each is opened here, so that an address is connected to only
/// after it was looked at, and can be shut from outside libcurl.
class Sockets {
 public:
  Sockets(storage::MayConnect may_connect, std::uint16_t port);

  /// Makes the handle open and close its sockets here. The handle must not outlive this.
  void attach(CURL* handle);
  /// Whether a connection to the server's own port may be opened: a login is what may, while a
  /// command that finds its connection gone must not get a new one unnoticed.
  void let_connect(bool allowed) { may_open_control_ = allowed; }
  bool refused_address() const { return refused_address_; }
  void forget_refusal() { refused_address_ = false; }

  /// Why this machine could open no socket, if it could not since this was asked last.
  std::optional<Error> take_lack() { return std::exchange(lack_, std::nullopt); }

  bool none_open() const { return open_.empty(); }
  /// True if the peer has closed or has said something unasked, such as that it is about to.
  bool disturbed() const;
  /// True if bytes of the data connection wait to be received. Its end is none.
  bool has_data() const;
  /// Nothing is received any more: a wait for a byte ends.
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

}  // namespace coffer::ftp
