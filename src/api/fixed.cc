#include "api/fixed.h"

#include <memory>
#include <utility>

#include "http/compression.h"

namespace coffer::api {
namespace {

/// The same answer in each coding.
struct FixedAnswer {
  explicit FixedAnswer(const http::Response& response)
      : identity(response), gzip(response), zstd(response) {
    http::compress(identity, http::Coding::identity);
    http::compress(gzip, http::Coding::gzip);
    http::compress(zstd, http::Coding::zstd);
  }

  const http::Response& in(http::Coding coding) const {
    if (coding == http::Coding::gzip) return gzip;
    return coding == http::Coding::zstd ? zstd : identity;
  }

  http::Response identity;
  http::Response gzip;
  http::Response zstd;
};

Task<http::Response> serve_fixed(std::shared_ptr<const FixedAnswer> answer, http::Coding coding) {
  co_return answer->in(coding);
}

}  // namespace

void add_fixed(http::Router& router, std::string_view path, const http::Response& response) {
  auto shared = std::make_shared<const FixedAnswer>(response);
  router.add(http::Method::get, path, [shared = std::move(shared)](http::Request& request) {
    return serve_fixed(shared, http::choose_coding(request));
  });
}

http::Response page_response(std::string html) {
  http::Response response;
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
  };
  response.body = std::move(html);
  return response;
}

}  // namespace coffer::api
