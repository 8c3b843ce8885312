#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "http/request.h"
#include "http/response.h"

namespace coffer::http {

/// Answers one request. What it throws becomes a 500.
using Handler = std::function<Task<Response>(Request&)>;

/// Finds the handler of a request. Filled at start, then only read, by any thread.
class Router {
 public:
  /// A pattern is a path whose segments are literal or `{name}`, which matches one non-empty
  /// segment. GET serves HEAD too.
  void add(Method method, std::string_view pattern, Handler handler);

  struct Match {
    const Handler* handler = nullptr;
    std::vector<std::string_view> captures;
  };
  /// The handler and captures; otherwise the error's response: 404, or 405 with `Allow`.
  std::variant<Match, Response> find(Method method, std::string_view path) const;

 private:
  struct Route {
    std::vector<std::string> segments;
    std::vector<std::pair<Method, Handler>> handlers;
  };
  std::vector<Route> routes_;
};

}  // namespace coffer::http
