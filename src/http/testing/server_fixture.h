#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "http/router.h"
#include "http/server.h"
#include "http/testing/pattern.h"
#include "http/testing/test_client.h"

namespace coffer::http {

/// The number of downloads' contents that the handlers below hold.
int contents_alive();

/// What the servers of tests speak TLS with, if they do.
TlsSource& tls_of_tests();

/// A server with handlers for all cases: /hello, /echo, /reads (counts reads and bytes of the
/// body), /early (refuses without reading), /broken (throws), /slow, /never, /file (5 MiB by
/// descriptor), /stream (without), /memory (that lies there), /text (5 MiB as a string), /held (as
/// /memory, with memory reserved), /guest (the same for a guest of ann's), /small (1 KiB), /cut
/// (fails in the middle), /file-lost and /stream-lost (may not go on after two pieces), /gone and
/// /v2/gone (fail at once), and those of add_streams.
class ServerTest : public testing::Test {
 protected:
  ServerTest();
  void start(ServerOptions options = {});
  /// That with TLS, if the tests speak it.
  std::uint16_t port() const;
  TestClient::Answer ask(std::string_view bytes, bool without_body = false);
  /// Waits until a download has begun.
  static void wait_for_files();
  /// Waits until /slow or /never has begun.
  static void wait_for_slow();

  const Router router_;
  std::optional<Server> server_;
};

inline constexpr std::string_view kHello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace coffer::http
