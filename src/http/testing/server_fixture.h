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

/// How many contents of downloads the handlers below hold.
int contents_alive();

/// A server with handlers for all that can happen: /hello, /echo, /reads (counts reads and bytes of
/// the body), /early (refuses without reading),
/// /broken (throws), /slow, /never, /file (5 MiB by descriptor), /stream (without), /small (1 KiB),
/// /cut (fails in the middle), /gone (at once), and those of add_streams.
class ServerTest : public testing::Test {
 protected:
  ServerTest();
  void start(ServerOptions options = {});
  TestClient::Answer ask(std::string_view bytes, bool without_body = false);
  /// Until a download has begun.
  static void wait_for_files();
  /// Until /slow or /never has begun.
  static void wait_for_slow();

  const Router router_;
  std::optional<Server> server_;
};

inline constexpr std::string_view kHello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace coffer::http
