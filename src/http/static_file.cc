#include "http/static_file.h"

#include <array>

#include "http/compression.h"
#include "http/conditional.h"
#include "http/memory_content.h"

namespace coffer::http {
namespace {

std::string_view bytes_in(const StaticFile& file, Coding coding) {
  if (coding == Coding::brotli) return file.brotli;
  return coding == Coding::gzip ? file.gzip : file.identity;
}

}  // namespace

Response serve_static_file(const Request& request, const StaticFile& file) {
  static constexpr std::array kOffered{Coding::brotli, Coding::gzip};
  Response response;
  response.headers.emplace_back("ETag", file.etag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (has_tag(request, file.etag)) {
    response.status = 304;
    return response;
  }
  Coding coding = choose_coding(request, kOffered);
  if (bytes_in(file, coding).empty()) coding = Coding::identity;
  if (coding != Coding::identity) {
    response.headers.emplace_back("Content-Encoding", word_of(coding));
  }
  response.headers.emplace_back("Content-Type", file.media_type);
  response.body = body_of(bytes_in(file, coding));
  response.may_pause = true;
  return response;
}

}  // namespace coffer::http
