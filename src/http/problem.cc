#include "http/problem.h"

#include <boost/json/serialize.hpp>
#include <utility>

#include "base/log.h"
#include "http/envelope.h"

namespace coffer::http {
namespace {

using Kind = ProblemKind;

Kind kind_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return {"malformed", "The request is malformed."};
    case ErrorCode::unauthenticated:
      return {"unauthenticated", "The caller is not known."};
    case ErrorCode::forbidden:
      return {"forbidden", "The caller may not do this."};
    case ErrorCode::unconfirmed:
      return {"unconfirmed", "The person must first show again who they are."};
    case ErrorCode::not_found:
      return {"not_found", "The item was not found."};
    case ErrorCode::exists:
      return {"name_taken", "The name is taken."};
    case ErrorCode::conflict:
      return {"precondition_failed", "It was changed meanwhile."};
    case ErrorCode::changed:
      return {"precondition_failed", "A condition of the request is not met."};
    case ErrorCode::locked:
      return {"locked", "Somebody has locked the item."};
    case ErrorCode::over_quota:
      return {"over_quota", "The storage quota is exceeded."};
    case ErrorCode::unavailable:
    case ErrorCode::refused:
      return {"unavailable",
              "A server that this one needs is not available or refuses the request."};
    case ErrorCode::timed_out:
      return {"timed_out", "A server that this one needs did not answer in time."};
    case ErrorCode::in_doubt:
      return {"timed_out", "A service that the server needs did not answer in time."};
    case ErrorCode::rate_limited:
      return {"rate_limited", "Too much at once."};
    case ErrorCode::overloaded:
      return {"unavailable", "The server has too much work in progress."};
    case ErrorCode::unready:
      return {"unavailable", "A service that the server needs does not answer."};
    case ErrorCode::disk_full:
      return {"failed", "The server's disk is full."};
    case ErrorCode::failed:
      return {"failed", "The server failed."};
  }
  std::unreachable();
}

Kind kind_of(unsigned status) {
  switch (status) {
    case 401:
      return kind_of(ErrorCode::unauthenticated);
    case 403:
      return kind_of(ErrorCode::forbidden);
    case 404:
    case 410:
      return kind_of(ErrorCode::not_found);
    case 503:
      return kind_of(ErrorCode::unready);
    case 408:
      return {"timed_out", "The request did not arrive in time."};
    case 412:
      return {"precondition_failed", "A condition of the request is not met."};
    case 423:
      return {"unavailable", "Another request is using it."};
    case 429:
      return kind_of(ErrorCode::rate_limited);
    case 460:
      return {"precondition_failed", "The checksum does not match."};
    case 416:
      return {"malformed", "No requested range lies within the file."};
    default:
      return kind_of(status < 500 ? ErrorCode::invalid : ErrorCode::failed);
  }
}

void append_text(std::string& json, std::string_view text) {
  json += boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

Response response_of(unsigned status, Kind kind, std::string_view detail) {
  // No page describes the problem further, so its type is `about:blank` (section 4.2.1).
  std::string json = R"({"type":"about:blank","title":)";
  append_text(json, kind.title);
  json += R"(,"status":)" + std::to_string(status) + R"(,"detail":)";
  append_text(json, detail);
  json += R"(,"code":)";
  append_text(json, kind.code);
  json += '}';
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", "application/problem+json");
  response.body = std::move(json);
  return response;
}

}  // namespace

std::string_view problem_code(ErrorCode code) {
  return kind_of(code).code;
}

Response problem_response(const Error& error) {
  if (is_own_failure(error.code)) spdlog::warn("a request failed: {}", error.message);
  const unsigned status = status_of(error.code);
  Response response = response_of(status, kind_of(error.code), error.message);
  add_retry_after(response, error);
  return response;
}

Response problem_response(unsigned status, std::string_view detail) {
  return response_of(status, kind_of(status), detail);
}

Response problem_response(unsigned status, ProblemKind kind, std::string_view detail) {
  return response_of(status, kind, detail);
}

}  // namespace coffer::http
