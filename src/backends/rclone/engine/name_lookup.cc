#include "backends/rclone/engine/name_lookup.h"

#include <netdb.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace coffer::rclone {
namespace {

constexpr std::size_t kMostQuestions = 64;

NameLookup::Endpoints resolve(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  NameLookup::Endpoints endpoints;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    return endpoints;
  }
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    asio::ip::tcp::endpoint endpoint;
    if (each->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), each->ai_addr, each->ai_addrlen);
    endpoint.resize(each->ai_addrlen);
    endpoints.push_back(endpoint);
  }
  ::freeaddrinfo(found);
  return endpoints;
}

}  // namespace

struct NameLookup::Answer {
  asio::steady_timer until;
  Endpoints endpoints = {};
  bool is_there = false;
};

struct NameLookup::Line {
  std::mutex mutex = {};
  asio::io_context* context = nullptr;  ///< Null when no caller waits any more.
  std::size_t questions = 0;
};

NameLookup::NameLookup(asio::io_context& context) : line_(std::make_shared<Line>()) {
  line_->context = &context;
}

NameLookup::~NameLookup() {
  const std::lock_guard lock(line_->mutex);
  line_->context = nullptr;
}

/// On a thread of its own. Who waits, and with him his timer, is touched on the context's alone.
void NameLookup::answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                        const std::string& host, std::uint16_t port) {
  auto found = resolve(host, port, 0);
  const std::lock_guard lock(line->mutex);
  --line->questions;
  if (line->context == nullptr) return;
  asio::post(*line->context, [waiting, found = std::move(found)]() mutable {
    const auto answer = waiting.lock();
    if (!answer) return;
    answer->endpoints = std::move(found);
    answer->is_there = true;
    answer->until.cancel();
  });
}

Task<Result<NameLookup::Endpoints>> NameLookup::ask(std::string host, std::uint16_t port,
                                                    std::chrono::steady_clock::duration limit) {
  auto literal = resolve(host, port, AI_NUMERICHOST);
  if (!literal.empty()) co_return literal;
  auto executor = co_await asio::this_coro::executor;
  asio::steady_timer until(executor, limit);
  const auto waiting = std::make_shared<Answer>(std::move(until));
  {
    const std::lock_guard lock(line_->mutex);
    if (line_->questions >= kMostQuestions) co_return fail(ErrorCode::refused, "Too many names.");
    // getaddrinfo(3) knows no deadline: a name server that is silent keeps this thread alone.
    std::thread([line = line_, weak = std::weak_ptr(waiting), host, port] {
      answer(line, weak, host, port);
    }).detach();
    ++line_->questions;
  }
  boost::system::error_code ignored;
  co_await waiting->until.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (!waiting->is_there) co_return fail(ErrorCode::timed_out, "No name server answers.");
  if (waiting->endpoints.empty()) {
    co_return fail(ErrorCode::unavailable, "The name is not known.");
  }
  co_return std::move(waiting->endpoints);
}

}  // namespace coffer::rclone
