#include "backends/rclone/engine/remote_control.h"

#include <array>
#include <boost/json.hpp>
#include <utility>

#include "async/deadline.h"
#include "backends/rclone/engine/http_exchange.h"

namespace coffer::rclone {
namespace {

namespace http = boost::beast::http;
namespace json = boost::json;

constexpr std::size_t kAnswerLimitBytes = 16 * 1024 * 1024;
constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr unsigned kOk = 200;

std::unexpected<Error> nonsense() {
  return fail(ErrorCode::unavailable, "rclone's answer makes no sense.");
}

HttpExchange::Request request_for(std::string_view method, const json::object& parameters) {
  HttpExchange::Request request(http::verb::post, "/" + std::string(method), 11);
  request.set(http::field::content_type, "application/json");
  request.body() = json::serialize(parameters);
  return request;
}

Task<Result<void>> begin(HttpExchange& talk, const RcloneInstance& run, std::string_view method,
                         const json::object& parameters) {
  auto request = request_for(method, parameters);
  CO_TRY_VOID(co_await talk.begin(run, std::move(request)));
  if (talk.status() == kOk) co_return Result<void>{};
  auto error = co_await talk.error();
  co_return std::unexpected(std::move(error));
}

Task<Result<json::object>> call_unlimited(const RcloneInstance& run, std::string_view method,
                                          const json::object& parameters) {
  HttpExchange talk;
  CO_TRY_VOID(co_await begin(talk, run, method, parameters));
  CO_TRY(auto text, co_await talk.read_text(kAnswerLimitBytes));
  boost::system::error_code error;
  json::value answer = json::parse(text, error);
  if (error || !answer.is_object()) co_return nonsense();
  co_return std::move(answer.get_object());
}

}  // namespace

Task<Result<json::object>> call(RcloneInstance run, std::string_view method,
                                json::object parameters,
                                std::chrono::steady_clock::duration limit) {
  co_return co_await with_deadline(call_unlimited(run, method, parameters), limit,
                                   "The drive does not answer in time.");
}

Task<Result<void>> call_for_text(RcloneInstance run, std::string_view method,
                                 json::object parameters, TextSink sink,
                                 std::chrono::steady_clock::duration limit) {
  constexpr std::string_view kTooLong = "The drive does not answer in time.";
  HttpExchange talk;
  CO_TRY_VOID(
      co_await with_deadline(begin(talk, run, method, parameters), limit, std::string(kTooLong)));
  std::vector<char> piece(kPieceBytes);
  for (;;) {
    auto reading = talk.read_some(std::as_writable_bytes(std::span(piece)));
    CO_TRY(auto got, co_await with_deadline(std::move(reading), limit, std::string(kTooLong)));
    if (got == 0) co_return Result<void>{};
    CO_TRY_VOID(sink({piece.data(), got}));
  }
}

}  // namespace coffer::rclone
