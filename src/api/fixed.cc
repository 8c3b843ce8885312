#include "api/fixed.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/compression.h"
#include "http/memory_content.h"

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

/// Made when it is first asked for: most servers never are.
class LateAnswer {
 public:
  explicit LateAnswer(std::function<http::Response()> make) : make_(std::move(make)) {}

  const FixedAnswer& get() {
    std::call_once(is_made_, [this] { answer_.emplace(make_()); });
    return *answer_;
  }

 private:
  const std::function<http::Response()> make_;
  std::once_flag is_made_;
  std::optional<FixedAnswer> answer_;
};

Task<http::Response> serve_fixed(std::shared_ptr<LateAnswer> answer, http::Coding coding) {
  const http::Response& made = answer->get().in(coding);
  http::Response response;
  response.status = made.status;
  response.headers = made.headers;
  response.body = http::body_of(std::get<std::string>(made.body), std::move(answer));
  co_return response;
}

}  // namespace

void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make) {
  auto shared = std::make_shared<LateAnswer>(std::move(make));
  router.add(http::Method::get, path, [shared = std::move(shared)](http::Request& request) {
    return serve_fixed(shared, http::choose_coding(request));
  });
}

}  // namespace coffer::api
