#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/run.h"
#include "backends/ftp/ftp_backend.h"
#include "backends/ftp/testing/fake_server.h"

namespace coffer::ftp {

using namespace std::chrono_literals;
using Behaviour = FakeServer::Behaviour;

inline constexpr std::string_view kMlst = " MLST type*;size*;modify*;\r\n";

/// A backend on a server that behaves as the test says, with deadlines that a test can wait for.
class FtpBackendTest : public testing::Test {
 protected:
  void serve(Behaviour behaviour) { server_.emplace(std::move(behaviour)); }
  FakeServer& server() { return *server_; }

  FtpBackend& backend() {
    if (!backend_) backend_ = FtpBackend::open(options(), pool_).value();
    return *backend_;
  }
  void reopen() { backend_.reset(); }
  FtpOptions options() {
    FtpOptions options = changed_;
    options.host = "127.0.0.1";
    if (server_) options.port = server_->port();
    return options;
  }

  Result<std::vector<storage::Entry>> list() {
    const Path root;
    return run(backend().list(root));
  }
  Result<std::string> read_file() {
    const Path file = Path::parse("file").value();
    TRY(auto reader, run(backend().open(file)));
    std::string content;
    std::vector<std::byte> buffer(1000);
    for (;;) {
      TRY(const auto count, run(reader->read(content.size(), buffer)));
      if (count == 0) return content;
      content.append(reinterpret_cast<const char*>(buffer.data()), count);
    }
  }
  std::ptrdiff_t times_received(std::string_view line) {
    return std::ranges::count(server().received(), line);
  }

  FtpOptions changed_{.deadlines = {.connect = 2s, .login = 2s, .reply = 2s, .stall = 2s}};

 private:
  std::optional<FakeServer> server_;
  Pool pool_{2};
  std::unique_ptr<FtpBackend> backend_;
};

template <class T>
ErrorCode code_of(const Result<T>& result) {
  return result ? ErrorCode::invalid : result.error().code;
}

inline std::string content(std::size_t size) {
  std::string text;
  while (text.size() < size) text += std::to_string(text.size()) + ' ';
  text.resize(size);
  return text;
}

inline std::string item(std::string_view name) {
  return "type=file;size=1;modify=20200102030405; " + std::string(name) + "\r\n";
}

}  // namespace coffer::ftp
