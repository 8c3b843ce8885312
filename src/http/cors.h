#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace coffer::http {

/// Lets web pages of other origins send requests (CORS, see the Fetch standard). `origins` contains
/// exact origins, or `*` for all origins. An empty list allows none. Safe from any thread.
class Cors {
 public:
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  /// Returns the response to a preflight request; nullopt if `request` is not a preflight request.
  std::optional<Response> preflight(const Request& request) const;
  /// Appends to `out` the CORS header lines that the response to `request` must have.
  void append_headers(std::string& out, const Request& request) const;

 private:
  /// Returns the value of Access-Control-Allow-Origin; empty if the origin is not allowed.
  std::string_view allowed_origin(const Request& request) const;
  std::vector<std::string> origins_;
};

}  // namespace coffer::http
