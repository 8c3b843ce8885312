#include "http/testing/server_fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstring>
#include <thread>

#include "base/testing/scratch_folder.h"
#include "http/envelope.h"
#include "http/memory_content.h"
#include "http/problem.h"
#include "http/serve_content.h"
#include "http/testing/stream_handlers.h"
#include "http/testing/tls_files.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

std::atomic<int> alive{0};

/// A content in memory, also as a descriptor, or one that fails or ends behind `broken_at`.
class TestContent final : public Content {
 public:
  TestContent(std::string bytes, bool with_descriptor, std::uint64_t broken_at, int most_pieces)
      : bytes_(std::move(bytes)), broken_at_(broken_at), pieces_left_(most_pieces) {
    ++alive;
    if (!with_descriptor) return;
    descriptor_ = ::memfd_create("content", MFD_CLOEXEC);
    if (::write(descriptor_, bytes_.data(), bytes_.size()) < 0) throw std::runtime_error("write");
  }
  ~TestContent() override {
    if (descriptor_ >= 0) ::close(descriptor_);
    --alive;
  }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= broken_at_) {
      co_return std::unexpected(Error{ErrorCode::unavailable, "The disk is gone.", 7s});
    }
    co_return copy(offset, out);
  }
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    if (descriptor_ < 0) return std::nullopt;
    return copy(offset, out);
  }
  std::optional<int> descriptor() const override {
    return descriptor_ < 0 ? std::nullopt : std::optional(descriptor_);
  }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }
  Task<Result<void>> may_go_on() override {
    if (pieces_left_-- > 0) co_return Result<void>{};
    co_return fail(ErrorCode::forbidden, "The right is lost.");
  }

 private:
  std::size_t copy(std::uint64_t offset, std::span<std::byte> out) const {
    const auto part = std::string_view(bytes_).substr(std::min(offset, bytes_.size()), out.size());
    std::memcpy(out.data(), part.data(), part.size());
    return part.size();
  }
  std::string bytes_;
  std::uint64_t broken_at_;
  int pieces_left_;
  int descriptor_ = -1;
};

/// The pattern; that of the large answers is made once, so that a handler begins to send at once.
std::string bytes_of(std::size_t size) {
  static const std::string kLarge = pattern(5 * 1024 * 1024);
  return size == kLarge.size() ? kLarge : pattern(size);
}

std::atomic<int> slow_started{0};
std::atomic<int> files_started{0};

Response text_response(std::string text) {
  Response response;
  response.headers.emplace_back("Content-Type", "text/plain");
  response.body = std::move(text);
  return response;
}

Task<Response> hello(Request&) {
  co_return text_response("hello");
}

Task<Response> echo(Request& request) {
  std::string all;
  for (;;) {
    const auto bytes = co_await request.body->read();
    if (!bytes) co_return error_response(bytes.error());
    if (bytes->empty()) break;
    all.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  co_return text_response(std::move(all));
}

/// Answers with the number of reads and of bytes.
Task<Response> count_reads(Request& request) {
  std::size_t reads = 0;
  std::size_t size = 0;
  for (bool more = true; more; ++reads) {
    const auto bytes = co_await request.body->read();
    if (!bytes) co_return error_response(bytes.error());
    size += bytes->size();
    more = !bytes->empty();
  }
  co_return text_response(std::to_string(reads) + " " + std::to_string(size));
}

Task<Response> refuse_early(Request&) {
  co_return error_response(413, "Too large.");
}

Task<Response> broken(Request&) {
  throw std::runtime_error("secret internals");
  co_return Response();
}

Task<Response> serve(Request& request, bool with_descriptor, std::size_t size,
                     std::uint64_t broken_at, int most_pieces = 1000) {
  ++files_started;
  const ContentInfo info{size, "\"e\"", Timestamp{}, "text/plain", "attachment"};
  auto content =
      std::make_shared<TestContent>(bytes_of(size), with_descriptor, broken_at, most_pieces);
  co_return serve_content(request, info, std::move(content));
}

/// The same bytes as `serve` sends, from where they lie.
Task<Response> serve_memory(Request& request, std::size_t size) {
  ++files_started;
  const auto bytes = std::make_shared<const std::string>(bytes_of(size));
  const ContentInfo info{size, "\"e\"", Timestamp{}, "text/plain", "attachment"};
  co_return serve_content(request, info, std::make_shared<MemoryContent>(*bytes, bytes));
}

Task<Response> serve_text(std::size_t size) {
  ++files_started;
  co_return text_response(bytes_of(size));
}

/// `account`: that of a link, whose guest the client is.
Task<Response> serve_held(Request& request, std::size_t size, std::string account = {}) {
  request.account = std::move(account);
  Response response = co_await serve_memory(request, size);
  response.held = std::make_shared<int>();
  co_return response;
}

Task<Response> slow(Request&) {
  ++slow_started;
  asio::steady_timer timer(co_await asio::this_coro::executor, 300ms);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_response("slow");
}

Task<Response> never(Request&) {
  ++slow_started;
  asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_response("never");
}

Task<Response> page(Request&) {
  co_return text_response("a page");
}

Router make_router() {
  constexpr std::size_t kLarge = 5 * 1024 * 1024;
  Router router;
  router.add(Method::get, "/hello", hello);
  router.add(Method::post, "/echo", echo);
  router.add(Method::post, "/early", refuse_early);
  router.add(Method::post, "/reads", count_reads);
  router.add(Method::get, "/broken", broken);
  router.add(Method::get, "/slow", slow);
  router.add(Method::get, "/never", never);
  router.add(Method::get, "/file", [](Request& r) { return serve(r, true, kLarge, ~0ull); });
  router.add(Method::get, "/stream", [](Request& r) { return serve(r, false, kLarge, ~0ull); });
  router.add(Method::get, "/memory", [](Request& r) { return serve_memory(r, kLarge); });
  router.add(Method::get, "/text", [](Request&) { return serve_text(kLarge); });
  router.add(Method::get, "/held", [](Request& r) { return serve_held(r, kLarge); });
  router.add(Method::get, "/guest", [](Request& r) { return serve_held(r, kLarge, "ann"); });
  router.add(Method::get, "/small", [](Request& r) { return serve(r, true, 1024, ~0ull); });
  router.add(Method::get, "/cut", [](Request& r) { return serve(r, false, kLarge, 1'000'000); });
  router.add(Method::get, "/file-lost",
             [](Request& r) { return serve(r, true, kLarge, ~0ull, 2); });
  router.add(Method::get, "/stream-lost",
             [](Request& r) { return serve(r, false, kLarge, ~0ull, 2); });
  for (const std::string_view path : {"/gone", "/v2/gone"}) {
    router.add(Method::get, path, [](Request& r) { return serve(r, false, kLarge, 0); });
  }
  router.set_error_format("/v2/", &problem_response, &problem_response);
  router.set_error_page(page);
  add_streams(router);
  return router;
}

}  // namespace

int contents_alive() {
  return alive;
}

ServerTest::ServerTest() : router_(make_router()) {}

TlsSource& tls_of_tests() {
  static const ScratchFolder folder;
  static TlsSource source(TlsContext::make(make_tls_files(folder.path())).value());
  return source;
}

void ServerTest::start(ServerOptions options) {
  options.port = 0;
  if (options.threads == 0) options.threads = 2;
  slow_started = files_started = 0;
  bytes_of(0);  // The large pattern is made before a handler needs it.
  if (tests_tls() && !options.tls) options.tls = {.port = 0, .source = &tls_of_tests()};
  server_.emplace(std::move(options), router_);
  const auto started = server_->start();
  ASSERT_TRUE(started) << started.error().message;
}

std::uint16_t ServerTest::port() const {
  return tests_tls() ? server_->tls_port() : server_->port();
}

TestClient::Answer ServerTest::ask(std::string_view bytes, bool without_body) {
  TestClient client(port());
  client.send(bytes);
  return client.read_answer(without_body);
}

void ServerTest::wait_for_files() {
  while (files_started == 0) std::this_thread::yield();
  files_started = 0;
}

void ServerTest::wait_for_slow() {
  while (slow_started == 0) std::this_thread::yield();
  slow_started = 0;
}

}  // namespace coffer::http
