#include "backends/remote/dialer.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "async/deadline.h"

namespace coffer::remote {
namespace {

using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostQuestions = 64;

std::vector<tcp::endpoint> resolve(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  std::vector<tcp::endpoint> endpoints;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    return endpoints;
  }
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    tcp::endpoint endpoint;
    if (each->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), each->ai_addr, each->ai_addrlen);
    endpoint.resize(each->ai_addrlen);
    endpoints.push_back(endpoint);
  }
  ::freeaddrinfo(found);
  return endpoints;
}

Task<Result<tcp::socket>> connect_to(tcp::endpoint endpoint) {
  tcp::socket made(co_await asio::this_coro::executor);
  const int descriptor =
      ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) {
    co_return std::unexpected(
        lack_of(errno).value_or(Error{ErrorCode::failed, "No socket could be opened."}));
  }
  boost::system::error_code error;
  made.assign(endpoint.protocol(), descriptor, error);
  if (error) {
    ::close(descriptor);
    co_return fail(ErrorCode::failed, "No socket could be opened.");
  }
  co_await made.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return fail(ErrorCode::unavailable, "The address cannot be reached.");
  // The sender decides which bytes wait for more.
  made.set_option(tcp::no_delay(true), error);
  co_return made;
}

}  // namespace

struct Dialer::Answer {
  asio::steady_timer until;
  Endpoints endpoints = {};
  bool is_there = false;
};

struct Dialer::Line {
  std::mutex mutex = {};
  asio::any_io_executor executor = {};  ///< Empty when no caller waits any more.
  std::size_t questions = 0;
};

Dialer::Dialer(asio::any_io_executor executor, storage::MayConnect may_connect)
    : may_connect_(std::move(may_connect)), line_(std::make_shared<Line>()) {
  line_->executor = std::move(executor);
}

Dialer::~Dialer() {
  const std::lock_guard lock(line_->mutex);
  line_->executor = {};
}

/// On a thread of its own. Who waits, and with him his timer, is touched on the executor's alone.
void Dialer::answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                    const std::string& host, std::uint16_t port) {
  auto found = resolve(host, port, 0);
  const std::lock_guard lock(line->mutex);
  --line->questions;
  if (!line->executor) return;
  asio::post(line->executor, [waiting, found = std::move(found)]() mutable {
    const auto answer = waiting.lock();
    if (!answer) return;
    answer->endpoints = std::move(found);
    answer->is_there = true;
    answer->until.cancel();
  });
}

Task<Result<Dialer::Endpoints>> Dialer::look_up(std::string host, std::uint16_t port,
                                                Clock::duration limit) {
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
  if (waiting->endpoints.empty()) co_return fail(ErrorCode::not_found, "The name is not known.");
  co_return std::move(waiting->endpoints);
}

Task<Result<tcp::socket>> Dialer::connect(std::string host, std::uint16_t port,
                                          Clock::duration limit) {
  const auto until = Clock::now() + limit;
  CO_TRY(auto endpoints, co_await look_up(std::move(host), port, limit));
  std::erase_if(endpoints, [this](tcp::endpoint& each) {
    return may_connect_ && !may_connect_(*each.data());
  });
  if (endpoints.empty()) co_return fail(ErrorCode::forbidden, "The address is not allowed.");
  Error error{ErrorCode::timed_out, "No address answers."};
  for (const tcp::endpoint& each : endpoints) {
    // A silent address leaves half of the time to those after it.
    const auto left = until - Clock::now();
    if (left <= Clock::duration::zero()) break;
    auto connecting = connect_to(each);
    const auto share = &each == &endpoints.back() ? left : left / 2;
    auto connected = co_await with_deadline(std::move(connecting), share, "No address answers.");
    if (connected) co_return *std::move(connected);
    error = connected.error();
  }
  co_return std::unexpected(std::move(error));
}

}  // namespace coffer::remote
