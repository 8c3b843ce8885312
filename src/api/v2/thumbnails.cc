#include <array>
#include <utility>

#include "api/v2/route.h"
#include "http/conditional.h"

namespace coffer::api::v2 {
namespace {

/// The side of the square that a thumbnail fits into.
enum class ThumbnailSize : std::uint16_t { small = 64, medium = 256, large = 1024 };

constexpr auto words_of(ThumbnailSize) {
  using enum ThumbnailSize;
  return enum_words<ThumbnailSize>({{small, "64"}, {medium, "256"}, {large, "1024"}});
}

struct ThumbnailParameters {
  FIELD(NonEmpty<ItemPath>, path, "The file.", R"("holiday/photo.jpg")");
  FIELD(ThumbnailSize, size, "The side of the square that it fits into, in pixels.", R"("256")");
};

Task<Result<http::Response>> send_thumbnail(Call call, ThumbnailParameters parameters) {
  // Who scrolls past many pictures leaves them, and the next ones are not to wait for those.
  auto has_left = [body = call.request.body] { return body->has_client_left(); };
  CO_TRY(auto made,
         co_await call.services.thumbnails.of(call.principal(), parameters.path.value.value,
                                              static_cast<unsigned>(parameters.size), has_left));
  if (!made.image) {
    co_return http::problem_response(404, {"no_thumbnail", "There is no thumbnail."},
                                     "No image can be made of this file.");
  }
  const std::string etag = '"' + made.key + '"';
  http::Response response;
  response.headers.emplace_back("ETag", etag);
  // Kept by the browser, and asked for again: the right to it may be gone.
  response.headers.emplace_back("Cache-Control", "private, no-cache");
  if (http::has_tag(call.request, etag)) {
    response.status = 304;
    co_return response;
  }
  response.headers.emplace_back("Content-Type", "image/webp");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Content-Security-Policy", "default-src 'none'; sandbox");
  response.body = *std::move(made.image);
  co_return response;
}

}  // namespace

std::vector<Route> thumbnail_routes() {
  return {bytes_route(
      Route(http::Method::get, "/api/v2/thumbnails", "readThumbnail",
            "Download a small image of an image",
            "WebP, upright, no larger than the original; of an animation, the first picture. AVIF, "
            "GIF, HEIF, JPEG, PNG, TIFF and WebP files of at most 32 MB have one; others, and "
            "files that do not match their extension, answer 404 with the code no_thumbnail. With "
            "If-None-Match, an unchanged image is not sent again: 304.",
            CallerRule::files, 200, {404, 502, 504}, Form::image),
      &send_thumbnail)};
}

}  // namespace coffer::api::v2
