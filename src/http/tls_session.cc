#include "http/tls_session.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

namespace coffer::http {

void TlsSession::Free::operator()(ssl_st* session) const {
  SSL_free(session);
}

TlsSession::TlsSession(const TlsContext& context, int socket) : session_(SSL_new(context.get())) {
  if (!session_ || SSL_set_fd(session_.get(), socket) != 1) throw std::bad_alloc();
  SSL_set_accept_state(session_.get());
}

/// Leaves no error in the thread's queue, where the next step would take it for its own.
TlsStep TlsSession::step_of(int result, std::size_t bytes) {
  using enum TlsStep::State;
  if (result > 0) return {done, bytes};
  const int error = SSL_get_error(session_.get(), result);
  const unsigned long first = ERR_peek_error();
  ERR_clear_error();
  if (error == SSL_ERROR_WANT_READ) return {wants_read};
  if (error == SSL_ERROR_WANT_WRITE) return {wants_write};
  is_broken_ = error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL;
  const bool is_http =
      ERR_GET_LIB(first) == ERR_LIB_SSL && ERR_GET_REASON(first) == SSL_R_HTTP_REQUEST;
  return {is_http ? plain_http : ended};
}

TlsStep TlsSession::shake_hands() {
  return step_of(SSL_do_handshake(session_.get()), 0);
}

bool TlsSession::has_chosen_http2() const {
  const unsigned char* chosen = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(session_.get(), &chosen, &size);
  return std::string_view(reinterpret_cast<const char*>(chosen), size) == kHttp2;
}

TlsStep TlsSession::read(std::span<char> out) {
  std::size_t bytes = 0;
  const int result = SSL_read_ex(session_.get(), out.data(), out.size(), &bytes);
  return step_of(result, bytes);
}

TlsStep TlsSession::peek() {
  char first = 0;
  std::size_t bytes = 0;
  const int result = SSL_peek_ex(session_.get(), &first, 1, &bytes);
  return step_of(result, bytes);
}

TlsStep TlsSession::write(std::string_view bytes) {
  std::size_t written = 0;
  const int result = SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &written);
  return step_of(result, written);
}

void TlsSession::finish_writing() {
  if (is_broken_ || SSL_is_init_finished(session_.get()) != 1) return;
  SSL_shutdown(session_.get());
  ERR_clear_error();
}

std::size_t TlsSession::pending() const {
  return static_cast<std::size_t>(std::max(SSL_pending(session_.get()), 0));
}

bool TlsSession::has_taken() const {
  return SSL_has_pending(session_.get()) == 1;
}

void TlsSession::rest() {
  const std::uint64_t moved = BIO_number_read(SSL_get_rbio(session_.get())) + socket_bytes();
  if (moved == std::exchange(moved_bytes_, moved)) SSL_free_buffers(session_.get());
}

std::uint64_t TlsSession::socket_bytes() const {
  return BIO_number_written(SSL_get_wbio(session_.get()));
}

}  // namespace coffer::http
