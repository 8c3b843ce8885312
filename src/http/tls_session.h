#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "http/tls_context.h"

struct ssl_st;

namespace coffer::http {

/// What one step of TLS came to on a socket that does not block.
struct TlsStep {
  enum class State : std::uint8_t {
    done,
    wants_read,   ///< The step must be taken again when the socket is readable.
    wants_write,  ///< The same, writable.
    ended,        ///< The peer has ended the connection, or broke the protocol.
    plain_http,   ///< The peer speaks HTTP without TLS. Only of `shake_hands`.
  };
  State state = State::done;
  std::size_t bytes = 0;  ///< Of `read` and `write`; at least 1 if done.
};

/// The server's side of TLS on one connected socket, whose reads and writes do not block. Owns
/// neither; the socket must outlive it. For one thread at a time.
class TlsSession {
 public:
  TlsSession(const TlsContext& context, int socket);

  /// Goes on with the handshake, which must be done before all else.
  TlsStep shake_hands();
  /// Returns true if the client chose HTTP/2 (ALPN, RFC 7301). Known after the handshake.
  bool has_chosen_http2() const;
  /// Reads bytes of the peer into `out`, which must not be empty.
  TlsStep read(std::span<char> out);
  /// Looks whether there are bytes of the peer, and leaves them there.
  TlsStep peek();
  /// Sends some of the bytes, of which there must be at least one. If the step has to be taken
  /// again, the same bytes must be given, at the same address or another.
  TlsStep write(std::string_view bytes);
  /// Tells the peer that no more bytes come (close_notify), if that is possible without waiting.
  void finish_writing();
  /// The number of bytes of the record that `read` has begun with.
  std::size_t pending() const;
  /// Returns true if a step may find something that was taken from the socket before.
  bool has_taken() const;
  /// Called now and then: frees the buffers, some 34 KiB, if nothing went through since the last
  /// call and nothing is in them. To free them after each record takes more time than its
  /// encryption.
  void rest();
  /// The number of bytes that were written to the socket: more than `write` was given.
  std::uint64_t socket_bytes() const;

 private:
  struct Free {
    void operator()(ssl_st* session) const;
  };
  TlsStep step_of(int result, std::size_t bytes);

  std::unique_ptr<ssl_st, Free> session_;
  std::uint64_t moved_bytes_ = 0;  ///< By the socket, both ways, at the last `rest`.
  bool is_broken_ = false;         ///< By the peer: nothing may be sent any more.
};

}  // namespace coffer::http
