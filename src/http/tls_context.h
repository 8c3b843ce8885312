#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"

struct ssl_ctx_st;

namespace coffer::http {

enum class TlsVersion : std::uint8_t { tls_1_2, tls_1_3 };
constexpr auto words_of(TlsVersion) {
  return enum_words<TlsVersion>({{TlsVersion::tls_1_2, "1.2"}, {TlsVersion::tls_1_3, "1.3"}});
}

struct TlsOptions {
  std::filesystem::path certificate;  ///< PEM: the server's, then those up to the root's issuer.
  std::filesystem::path key;          ///< PEM, without a password.
  TlsVersion least = TlsVersion::tls_1_2;
  bool http2 = true;  ///< HTTP/2 is offered, besides HTTP/1.1.
};

/// The name of HTTP/2 in the handshake (RFC 9113, section 3.1).
inline constexpr std::string_view kHttp2 = "h2";

/// A certificate with its key, and how TLS is spoken with it: TLS 1.2 with ECDHE and AEAD ciphers
/// alone and TLS 1.3 (RFC 9325), neither renegotiation, compression nor early data. Does not
/// change; a renewed certificate is a new object. Safe from any thread.
class TlsContext {
 public:
  /// Reads both files. `failed`, with a message for the administrator that names the file, if one
  /// cannot be read, they do not fit each other, or the certificate has expired.
  static Result<std::shared_ptr<const TlsContext>> make(const TlsOptions& options);

  /// When the certificate expires.
  Timestamp expires_at() const { return expires_at_; }
  ssl_ctx_st* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  using Context = std::unique_ptr<ssl_ctx_st, Free>;
  TlsContext(Context context, Timestamp expires_at)
      : context_(std::move(context)), expires_at_(expires_at) {}
  static Result<void> load(ssl_ctx_st* context, const TlsOptions& options);

  const Context context_;
  const Timestamp expires_at_;
};

}  // namespace coffer::http
