#include "http/tls_context.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace coffer::http {
namespace {

constexpr const char* kCiphersOfTls12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384";
constexpr std::string_view kHttp11 = "http/1.1";

/// Empties the thread's queue of errors and returns the reason of the first.
std::string reason() {
  const unsigned long error = ERR_peek_error();
  const char* const text = ERR_reason_error_string(error);
  const bool is_of_system = ERR_SYSTEM_ERROR(error);
  ERR_clear_error();
  if (is_of_system) return std::strerror(ERR_GET_REASON(error));
  return text == nullptr ? "unknown reason" : text;
}

std::unexpected<Error> wrong(const std::filesystem::path& file, std::string_view what) {
  return fail(ErrorCode::failed, fmt::format("The file {} {}", file.string(), what));
}

/// Returns the protocol's place in what a client offers, each with its length before it.
std::optional<std::size_t> place_of(std::string_view protocol, std::string_view offered) {
  for (std::size_t at = 0; at < offered.size();) {
    const auto size = static_cast<unsigned char>(offered[at]);
    if (offered.substr(at + 1, size) == protocol) return at + 1;
    at += 1U + size;
  }
  return std::nullopt;
}

/// Chooses what the server speaks (RFC 7301, section 3.2). A client that offers other protocols
/// alone is refused, so that its bytes are never taken for HTTP; one that offers none goes on.
template <bool with_http2>
int choose_protocol(SSL* /*session*/, const unsigned char** chosen, unsigned char* length,
                    const unsigned char* offered, unsigned int offered_bytes, void* /*unused*/) {
  const std::string_view all(reinterpret_cast<const char*>(offered), offered_bytes);
  for (const std::string_view protocol : {kHttp2, kHttp11}) {
    if (!with_http2 && protocol == kHttp2) continue;
    const auto place = place_of(protocol, all);
    if (!place) continue;
    *chosen = offered + *place;
    *length = static_cast<unsigned char>(protocol.size());
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Instead of the library's question at the terminal.
int know_no_password(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*unused*/) {
  return -1;
}

Timestamp time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return Timestamp(std::chrono::seconds(::timegm(&parts)));
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const {
  SSL_CTX_free(context);
}

Result<void> TlsContext::load(ssl_ctx_st* context, const TlsOptions& options) {
  ERR_clear_error();  // What others have left on this thread.
  SSL_CTX_set_default_passwd_cb(context, &know_no_password);
  if (SSL_CTX_use_certificate_chain_file(context, options.certificate.c_str()) != 1) {
    return wrong(options.certificate,
                 fmt::format("of tls_certificate cannot be used: {}.", reason()));
  }
  if (SSL_CTX_use_PrivateKey_file(context, options.key.c_str(), SSL_FILETYPE_PEM) == 1) return {};
  if (ERR_GET_REASON(ERR_peek_error()) != X509_R_KEY_VALUES_MISMATCH) {
    return wrong(options.key, fmt::format("of tls_key cannot be used: {}.", reason()));
  }
  ERR_clear_error();
  return wrong(options.key, fmt::format("of tls_key does not belong to the certificate in {}.",
                                        options.certificate.string()));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const TlsOptions& options) {
  Context context(SSL_CTX_new(TLS_server_method()));
  if (!context) throw std::bad_alloc();
  SSL_CTX_set_min_proto_version(
      context.get(), options.least == TlsVersion::tls_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_security_level(context.get(), 2);
  // In the order above, but for a client that puts ChaCha20 first, as one without AES in its
  // processor does.
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE |
                                         SSL_OP_PRIORITIZE_CHACHA);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Without it, each record takes two reads of the socket: one for its five bytes of head.
  SSL_CTX_set_read_ahead(context.get(), 1);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);  // Tickets serve instead.
  SSL_CTX_set_cipher_list(context.get(), kCiphersOfTls12);
  SSL_CTX_set1_groups_list(context.get(), kGroups);
  SSL_CTX_set_alpn_select_cb(
      context.get(), options.http2 ? &choose_protocol<true> : &choose_protocol<false>, nullptr);
  TRY_VOID(load(context.get(), options));
  const Timestamp expires_at = time_of(X509_get0_notAfter(SSL_CTX_get0_certificate(context.get())));
  if (expires_at <= now()) return wrong(options.certificate, "of tls_certificate has expired.");
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(context), expires_at));
}

}  // namespace coffer::http
