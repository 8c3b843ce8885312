#include "http/envelope.h"

#include <boost/json/serialize.hpp>
#include <utility>

#include "base/log.h"

namespace coffer::http {

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return 400;
    case ErrorCode::unauthenticated:
      return 401;
    case ErrorCode::forbidden:
    case ErrorCode::unconfirmed:
      return 403;
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::exists:
    case ErrorCode::conflict:
      return 409;
    case ErrorCode::changed:
      return 412;
    case ErrorCode::locked:
      return 423;
    case ErrorCode::over_quota:
      return 413;
    case ErrorCode::unavailable:
    case ErrorCode::refused:
      return 502;
    case ErrorCode::timed_out:
    case ErrorCode::in_doubt:
      return 504;
    case ErrorCode::disk_full:
      return 507;
    case ErrorCode::rate_limited:
      return 429;
    case ErrorCode::overloaded:
    case ErrorCode::unready:
      return 503;
    case ErrorCode::failed:
      return 500;
  }
  std::unreachable();
}

Response json_response(unsigned status, std::string json) {
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", "application/json");
  response.body = std::move(json);
  return response;
}

namespace {

Response envelope_of(unsigned status, std::string_view message) {
  std::string json = R"({"success":false,"error":)";
  json += boost::json::serialize(boost::json::string_view(message.data(), message.size()));
  json += '}';
  return json_response(status, std::move(json));
}

}  // namespace

Response error_response(const Error& error) {
  if (is_own_failure(error.code)) spdlog::warn("a request failed: {}", error.message);
  Response response = envelope_of(status_of(error.code), error.message);
  add_retry_after(response, error);
  return response;
}

void add_retry_after(Response& response, const Error& error) {
  auto seconds = error.retry_after.count();
  if (seconds == 0 && response.status == 503) seconds = 1;
  if (seconds > 0) response.headers.emplace_back("Retry-After", std::to_string(seconds));
}

Response error_response(unsigned status, std::string_view message) {
  Response response = envelope_of(status, message);
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace coffer::http
