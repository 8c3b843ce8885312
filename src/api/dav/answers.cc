#include "api/dav/answers.h"

#include "api/dav/xml.h"
#include "base/log.h"
#include "http/envelope.h"

namespace coffer::api::dav {

unsigned status_of(const Error& error) {
  if (error.code == ErrorCode::over_quota) return 507;
  return http::status_of(error.code);
}

http::Response answer(unsigned status) {
  http::Response response;
  response.status = status;
  return response;
}

http::Response error_answer(unsigned status, std::string_view message) {
  http::Response response = answer(status);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  if (status == 401) {
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"Coffer\", charset=\"UTF-8\"");
  }
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  response.body = std::string(message) + '\n';
  return response;
}

http::Response error_answer(const Error& error) {
  if (is_own_failure(error.code)) spdlog::warn("a request failed: {}", error.message);
  http::Response response = error_answer(status_of(error), error.message);
  if (error.retry_after.count() > 0) http::add_retry_after(response, error);
  return response;
}

http::Response error_answer(const http::Request& request, const Error& error) {
  if (error.code != ErrorCode::locked) return error_answer(error);
  return precondition_answer(423, "lock-token-submitted",
                             {std::string(request.base_path) + std::string(request.path)});
}

http::Response precondition_answer(unsigned status, std::string_view condition,
                                   const std::vector<std::string>& hrefs) {
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:error xmlns:D=\"DAV:\"><D:";
  text += condition;
  if (hrefs.empty()) {
    text += "/>";
  } else {
    text += '>';
    for (const std::string& href : hrefs) {
      text += "<D:href>";
      append_escaped(text, href);
      text += "</D:href>";
    }
    text.append("</D:").append(condition).append(">");
  }
  text += "</D:error>\n";
  http::Response response = answer(status);
  response.headers.emplace_back("Content-Type", kXmlType);
  response.body = std::move(text);
  return response;
}

std::string_view status_line(unsigned status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK";
    case 403:
      return "HTTP/1.1 403 Forbidden";
    case 404:
      return "HTTP/1.1 404 Not Found";
    case 409:
      return "HTTP/1.1 409 Conflict";
    case 423:
      return "HTTP/1.1 423 Locked";
    case 424:
      return "HTTP/1.1 424 Failed Dependency";
    case 507:
      return "HTTP/1.1 507 Insufficient Storage";
    default:
      return "HTTP/1.1 500 Internal Server Error";
  }
}

}  // namespace coffer::api::dav
