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

/// Answers one request. An exception becomes a 500.
using Handler = std::function<Task<Response>(Request&)>;

/// Finds the handler of a request. It is filled at the start; later calls only read, from any
/// thread.
class Router {
 public:
  /// A pattern is a path whose segments are literal or `{name}`, which matches one non-empty
  /// segment; as the last one `{name*}` matches all that is left, also nothing. GET serves HEAD
  /// too.
  void add(Method method, std::string_view pattern, Handler handler);

  /// Answers GET and HEAD of every path without a route, unless its first segment is one of
  /// `excluded`: those paths stay 404.
  void set_fallback(Handler handler, std::vector<std::string> excluded);

  using Headers = std::vector<std::pair<std::string, std::string>>;
  /// Adds headers to the answer to OPTIONS, beside `Allow`, at a pattern that has handlers.
  void set_options(std::string_view pattern, Headers headers);

  /// Sets the form of refusals at addresses with this prefix; elsewhere they are envelopes.
  void set_error_format(std::string prefix, ErrorFormat format);
  ErrorFormat error_format(std::string_view path) const;

  /// Declares the rest of an address after this prefix a secret.
  void set_secret_prefix(std::string prefix);
  /// The part of the path that a log may show.
  std::string_view without_secret(std::string_view path) const;
  /// Declares the query at this address a secret.
  void set_secret_query(std::string path);
  bool has_secret_query(std::string_view path) const;

  struct Match {
    const Handler* handler = nullptr;
    std::vector<std::string_view> captures = {};
    std::string_view pattern = {};  ///< As it was added.
  };
  /// The handler and captures, or the router's own response: 404, 405 with `Allow`, or for OPTIONS
  /// (also of `*`) 204 with `Allow` and the headers of `set_options`.
  std::variant<Match, Response> find(Method method, std::string_view path) const;

 private:
  struct Handlers {
    std::string pattern;
    std::vector<std::pair<Method, Handler>> list;
    Headers options;
  };
  struct Route {
    std::vector<std::string> segments;  ///< `{}` for a capture, `{*}` for one of the whole rest.
    Handlers handlers;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  Handlers& handlers_of(std::string_view pattern);
  bool has_fallback(Method method, std::string_view path) const;
  static std::variant<Match, Response> choose(const Handlers& handlers, Method method,
                                              std::vector<std::string_view> captures,
                                              ErrorFormat error_format);

  std::unordered_map<std::string, Handlers, Hash, std::equal_to<>> literals_;
  std::vector<std::pair<std::string, ErrorFormat>> error_formats_;
  std::vector<std::string> secret_prefixes_;
  std::vector<std::string> secret_queries_;
  Handler fallback_;
  std::vector<std::string> fallback_excluded_;
  std::vector<Route> routes_;  ///< The routes with captures, in the order added.
};

}  // namespace coffer::http
