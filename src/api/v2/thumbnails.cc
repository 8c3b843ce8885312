#include <array>
#include <utility>

#include "api/v2/resources.h"
#include "http/conditional.h"

namespace coffer::api {

namespace v2 {

/// The side of the square that a thumbnail fits into.
enum class ThumbnailSize : std::uint16_t { small = 64, medium = 256, large = 1024 };

std::string_view to_string(ThumbnailSize size) {
  switch (size) {
    case ThumbnailSize::small:
      return "64";
    case ThumbnailSize::medium:
      return "256";
    case ThumbnailSize::large:
      return "1024";
  }
  std::unreachable();
}

struct ThumbnailParameters {
  NonEmpty<ItemPath> path;
  ThumbnailSize size = ThumbnailSize::medium;
};
BOOST_DESCRIBE_STRUCT(ThumbnailParameters, (), (path, size))

}  // namespace v2

template <>
struct Words<v2::ThumbnailSize> {
  using enum v2::ThumbnailSize;
  static constexpr std::array all{small, medium, large};
};

template <>
struct Docs<v2::ThumbnailParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path", "The file.", R"("holiday/photo.jpg")"},
      {"size", "The side of the square that it fits into, in pixels.", R"("256")"},
  }};
};

namespace v2 {
namespace {

Task<Result<http::Response>> send_thumbnail(Call call, ThumbnailParameters parameters) {
  auto made = co_await call.services.thumbnails.of(call.principal(), parameters.path.value.value,
                                                   static_cast<unsigned>(parameters.size));
  if (!made) co_return failure_of(std::move(made));
  if (!made->image) {
    co_return http::problem_response(404, {"no_thumbnail", "There is no thumbnail."},
                                     "No image can be made of this file.");
  }
  const std::string etag = '"' + made->key + '"';
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
  response.body = *std::move(made->image);
  co_return response;
}

}  // namespace

std::vector<Route> thumbnail_routes() {
  Route route{http::Method::get, "/api/v2/thumbnails", "readThumbnail",
              "Download a small image of an image",
              "WebP, upright, no larger than the image is, and of an animation the first picture. "
              "Files of AVIF, GIF, HEIF, JPEG, PNG, TIFF and WebP of at most 32 MiB have one; "
              "others, and those that cannot be read as what their name says, answer 404 with the "
              "code no_thumbnail. With If-None-Match it is not sent again: 304."};
  route.rule = CallerRule::files;
  route.form = Form::image;
  route.errors = {404, 502, 504};
  return {bytes_route(route, &send_thumbnail)};
}

}  // namespace v2
}  // namespace coffer::api
