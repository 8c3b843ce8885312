#include "http/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "http/syntax.h"

namespace coffer::http {
namespace {

/// Both are about as small as the next levels, in a third of the time.
constexpr int kGzipLevel = 1;
constexpr int kZstdLevel = 3;

/// Of `;q=0.5` and the like, in thousandths; 1000 without one, 0 for what is no weight.
int weight_of(std::string_view parameters) {
  const std::string_view text = trim(parameters);
  if (text.empty()) return 1000;
  if (text.size() < 3 || !equal_ignoring_case(text.substr(0, 2), "q=")) return 0;
  if (text[2] == '1') return 1000;
  if (text[2] != '0') return 0;
  int weight = 0;
  int place = 100;
  for (const char digit : text.substr(3)) {
    if (digit == '.') continue;
    if (digit < '0' || digit > '9') return 0;
    weight += (digit - '0') * place;
    place /= 10;
  }
  return weight;
}

/// The weight of each coding that the client names.
struct Wishes {
  std::optional<int> gzip;
  std::optional<int> zstd;
  std::optional<int> others;

  void add(std::string_view element) {
    const std::string_view name = trim(cut_front(element, ';'));
    const int weight = weight_of(element);
    if (equal_ignoring_case(name, "gzip") || equal_ignoring_case(name, "x-gzip")) gzip = weight;
    if (equal_ignoring_case(name, "zstd")) zstd = weight;
    if (name == "*") others = weight;
  }
};

std::string gzip(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max()) return std::string(text);
  constexpr int kWithGzipHead = 15 + 16;
  z_stream stream{};
  if (::deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kWithGzipHead, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::bad_alloc();
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(::ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ::ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kZstdLevel);
  if (::ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

}  // namespace

std::string_view to_string(Coding coding) {
  switch (coding) {
    case Coding::identity:
      return "identity";
    case Coding::gzip:
      return "gzip";
    case Coding::zstd:
      return "zstd";
  }
  std::unreachable();
}

Coding choose_coding(const Request& request) {
  Wishes wishes;
  for (const Header& header : request.headers) {
    if (!equal_ignoring_case(header.name, "Accept-Encoding")) continue;
    for (std::string_view rest = header.value; !rest.empty();) wishes.add(cut_front(rest, ','));
  }
  const int gzip = wishes.gzip.value_or(wishes.others.value_or(0));
  const int zstd = wishes.zstd.value_or(wishes.others.value_or(0));
  if (gzip == 0 && zstd == 0) return Coding::identity;
  return zstd >= gzip ? Coding::zstd : Coding::gzip;
}

void compress(Response& response, Coding coding) {
  response.headers.emplace_back("Vary", "Accept-Encoding");
  const auto* text = std::get_if<std::string>(&response.body);
  if (coding == Coding::identity || !text || text->size() < kLeastToCompress) return;
  response.body = coding == Coding::gzip ? gzip(*text) : zstd(*text);
  response.headers.emplace_back("Content-Encoding", to_string(coding));
}

}  // namespace coffer::http
