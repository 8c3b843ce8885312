#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/settings.h"
#include "async/pool.h"
#include "base/error.h"
#include "http/router.h"
#include "http/server.h"

namespace coffer::app {

/// A port without TLS, such as 80, where people and ACME servers come who know only the host's
/// name. It answers
/// - `/.well-known/acme-challenge/TOKEN` with the file of that name below `acme_webroot`, which an
///   ACME client put there (RFC 8555, section 8.3);
/// - all else with a redirection (308) to the same path at `public_url`; 405 for unknown methods.
class RedirectServer {
 public:
  struct Options {
    ListenAddress listen;
    std::string public_url;
    std::filesystem::path acme_webroot;  ///< Empty: there are no challenges.
    std::size_t max_connections = 256;
    std::chrono::milliseconds header_timeout{10'000};
    std::chrono::milliseconds idle_timeout{75'000};
    bool access_log = true;
  };
  /// The pool, for reading files, must outlive the object.
  RedirectServer(Options options, Pool& pool);

  /// As http::Server.
  Result<void> start();
  std::uint16_t port() const { return server_.port(); }
  bool stop(std::chrono::milliseconds limit) { return server_.stop(limit); }

 private:
  Task<http::Response> redirect(http::Request& request) const;
  Task<http::Response> answer_challenge(http::Request& request);

  const Options options_;
  Pool& pool_;
  http::Router router_;
  http::Server server_;
};

}  // namespace coffer::app
