#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace coffer::http {

/// Lets pages of other origins call the service (the Fetch standard's CORS protocol). Without
/// origins it does nothing. Safe from any thread.
class Cors {
 public:
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  /// The answer to a preflight request; nullopt for other requests.
  std::optional<Response> preflight(const Request& request) const;
  /// Appends the header lines of every response.
  void append_headers(std::string& out, const Request& request) const;

 private:
  /// The value of Access-Control-Allow-Origin; empty if the request's origin is not allowed.
  std::string_view allowed_origin(const Request& request) const;
  std::vector<std::string> origins_;
};

}  // namespace coffer::http
