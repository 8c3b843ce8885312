#include "http/testing/stream_handlers.h"

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "http/testing/pattern.h"

namespace coffer::http {
namespace {

std::atomic<int> alive{0};
std::atomic<int> made{0};

/// The given pieces, once or repeatedly, then an end or a failure.
class TestStream final : public Stream {
 public:
  enum class End : std::uint8_t { orderly, failure, never };

  TestStream(std::vector<std::string> pieces, End end) : pieces_(std::move(pieces)), end_(end) {
    ++alive;
  }
  ~TestStream() override { --alive; }

  Task<Result<std::optional<std::string_view>>> next() override {
    ++made;
    if (end_ == End::never) next_ %= pieces_.size();
    if (next_ < pieces_.size()) co_return std::string_view(pieces_[next_++]);
    if (end_ == End::failure) co_return fail(ErrorCode::unavailable, "The source is gone.");
    co_return std::nullopt;
  }

 private:
  std::vector<std::string> pieces_;
  const End end_;
  std::size_t next_ = 0;
};

/// One piece, then the end as soon as `end` is called.
class LongStream final : public Stream {
 public:
  LongStream() { ++alive; }
  ~LongStream() override { --alive; }

  Task<Result<std::optional<std::string_view>>> next() override {
    if (!std::exchange(has_begun_, true)) co_return std::string_view("begun");
    if (has_ended_) co_return std::nullopt;
    timer_.emplace(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await timer_->async_wait(asio::as_tuple(asio::use_awaitable));
    co_return std::nullopt;
  }
  bool waits_long() const override { return true; }
  void end() override {
    has_ended_ = true;
    if (timer_) timer_->cancel();
  }

 private:
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::optional<asio::steady_timer> timer_;
};

Response stream_of(std::vector<std::string> pieces, TestStream::End end) {
  Response response;
  response.headers.emplace_back("Content-Type", "application/octet-stream");
  response.body = std::make_shared<TestStream>(std::move(pieces), end);
  return response;
}

std::vector<std::string> all_sizes() {
  const std::string content = pattern(2 * 1024 * 1024);
  std::vector<std::string> pieces;
  std::size_t size = 1;
  for (std::size_t at = 0; at < content.size(); at += size, size = size * 7 % 300'007) {
    pieces.push_back(content.substr(at, size));
    if (pieces.size() % 3 == 0) pieces.emplace_back();
  }
  return pieces;
}

Task<Response> pieces(Request&) {
  co_return stream_of(all_sizes(), TestStream::End::orderly);
}

Task<Response> nothing(Request&) {
  co_return stream_of({}, TestStream::End::orderly);
}

Task<Response> torn(Request&) {
  std::vector<std::string> some{"some ", "of it"};
  co_return stream_of(std::move(some), TestStream::End::failure);
}

Task<Response> torn_at_once(Request&) {
  co_return stream_of({}, TestStream::End::failure);
}

Task<Response> endless(Request&) {
  std::vector<std::string> piece{pattern(65'536)};
  co_return stream_of(std::move(piece), TestStream::End::never);
}

Task<Response> waiting(Request&) {
  std::vector<std::string> piece{std::string()};
  co_return stream_of(std::move(piece), TestStream::End::never);
}

Task<Response> lasting(Request&) {
  Response response;
  response.body = std::make_shared<LongStream>();
  co_return response;
}

}  // namespace

int streams_alive() {
  return alive;
}

int pieces_made() {
  return made;
}

void add_streams(Router& router) {
  router.add(Method::get, "/pieces", pieces);
  router.add(Method::get, "/nothing", nothing);
  router.add(Method::get, "/torn", torn);
  router.add(Method::get, "/torn-at-once", torn_at_once);
  router.add(Method::get, "/endless", endless);
  router.add(Method::get, "/waiting", waiting);
  router.add(Method::get, "/lasting", lasting);
}

}  // namespace coffer::http
