#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "async/task.h"
#include "http/message.h"

namespace coffer::http {

/// Answers one request. The client gets a 500 if the handler throws.
using Handler = std::function<Task<Response>(Request&)>;

/// Finds the handler of a request. Functions that are not const must be called before the server
/// starts. Afterwards the const functions are safe from any thread.
class Router {
 public:
  /// Adds a route. Each segment of the pattern is literal text or `{name}`. `{name}` matches one
  /// segment that is not empty. The last segment may be `{name*}`, which matches the rest of the
  /// path, even if the rest is empty. A handler of GET also serves HEAD.
  void add(Method method, std::string_view pattern, Handler handler);

  /// Sets the handler of GET and HEAD for all paths without a route, and for `/` if its routes
  /// are of other methods. It does not serve paths whose
  /// first segment is in `excluded`: these are answered with 404.
  void set_fallback(Handler handler, std::vector<std::string> excluded);

  /// Sets the handler that makes the page in which people see errors (wants_error_page).
  void set_error_page(Handler handler);
  /// Null if there is none.
  const Handler* error_page() const { return error_page_ ? &error_page_ : nullptr; }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  /// Sets the headers, besides `Allow`, of the answer to OPTIONS. The pattern must have a route.
  void set_options(std::string_view pattern, Headers headers);

  /// Sets the formats of errors for paths with this prefix. For other paths they are those of
  /// `error_response`.
  void set_error_format(std::string prefix, ErrorFormat format, FailureFormat of_failure);
  ErrorFormat error_format(std::string_view path) const;
  FailureFormat failure_format(std::string_view path) const;

  /// Declares that what captures of this name capture is secret and must not be logged.
  void keep_secret(std::string_view capture);
  /// Declares that the query of the route of this pattern is secret and must not be logged.
  void keep_query_secret(std::string_view pattern);
  /// Returns the target of a request as the log may show it. `pattern` is that of the request's
  /// route (see Match), or empty if none answered.
  /// - A route without a secret capture: path and query as they came; of a secret query only `…`.
  /// - A route with a secret capture: only its pattern.
  /// - The fallback, or no route: the address may be a mistyped one with a secret. `…` stands for
  ///   the query, and for each part of the path that is as long as half a secret.
  std::string loggable(std::string_view pattern, std::string_view path,
                       std::string_view query) const;

  struct Match {
    const Handler* handler = nullptr;
    std::vector<std::string_view> captures = {};
    std::string_view pattern = {};  ///< As passed to `add`; `/{page*}` for the fallback.
  };
  /// Returns the matching handler and its captures. If none matches, returns the response instead:
  /// - 404 if no route matches the path;
  /// - 204 with `Allow` and the headers of `set_options` for OPTIONS, also for the path `*`;
  /// - 405 with `Allow` if the route has no handler for the method.
  std::variant<Match, Response> find(Method method, std::string_view path) const;

 private:
  struct Handlers {
    std::string pattern;
    std::vector<std::pair<Method, Handler>> list;
    Headers options;
  };
  struct Route {
    std::vector<std::string> segments;  ///< `{}` for a capture, `{*}` for a capture of the rest.
    Handlers handlers;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct ErrorFormats {
    std::string prefix;
    ErrorFormat of_status;
    FailureFormat of_failure;
  };
  const ErrorFormats* formats_for(std::string_view path) const;
  Handlers& handlers_of(std::string_view pattern);
  static bool serves_get(const Handlers& handlers);
  bool has_fallback(Method method, std::string_view path) const;
  static std::variant<Match, Response> choose(const Handlers& handlers, Method method,
                                              std::vector<std::string_view> captures,
                                              ErrorFormat error_format);

  std::unordered_map<std::string, Handlers, Hash, std::equal_to<>> literals_;
  std::vector<ErrorFormats> error_formats_;
  std::vector<std::string> secret_captures_;  ///< As in patterns: `{name}`, `{name*}`.
  std::vector<std::string> secret_queries_;   ///< Patterns of routes.
  Handler fallback_;
  Handler error_page_;
  std::vector<std::string> fallback_excluded_;
  std::vector<Route> routes_;  ///< The routes with captures, in the order added.
};

}  // namespace coffer::http
