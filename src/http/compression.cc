#include "http/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "http/syntax.h"

namespace coffer::http {
namespace {

/// The results are about as small as at the next levels, in a third of the time.
constexpr int kGzipLevel = 1;
constexpr int kZstdLevel = 3;

/// The weight of `;q=0.5` and the like, in thousandths; 1000 without one, 0 if it is malformed.
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

/// True if an element of Accept-Encoding names this coding.
bool names(std::string_view element, Coding coding) {
  return equal_ignoring_case(element, word_of(coding)) ||
         (coding == Coding::gzip && equal_ignoring_case(element, "x-gzip"));
}

/// The client's weight for a coding; 0 if it does not accept it.
int weight_of(const Request& request, Coding coding) {
  std::optional<int> own;
  int of_others = 0;
  for (const Header& header : request.headers) {
    if (!equal_ignoring_case(header.name, "Accept-Encoding")) continue;
    for (std::string_view rest = header.value; !rest.empty();) {
      std::string_view element = cut_front(rest, ',');
      const std::string_view name = trim(cut_front(element, ';'));
      if (names(name, coding)) own = weight_of(element);
      if (name == "*") of_others = weight_of(element);
    }
  }
  return own.value_or(of_others);
}

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

Coding choose_coding(const Request& request, std::span<const Coding> offered) {
  Coding best = Coding::identity;
  int best_weight = 0;
  for (const Coding coding : offered) {
    const int weight = weight_of(request, coding);
    if (weight > best_weight) {
      best = coding;
      best_weight = weight;
    }
  }
  return best;
}

Coding choose_coding(const Request& request) {
  static constexpr std::array kMade{Coding::zstd, Coding::gzip};
  return choose_coding(request, kMade);
}

void compress(Response& response, Coding coding) {
  response.headers.emplace_back("Vary", "Accept-Encoding");
  const auto* text = std::get_if<std::string>(&response.body);
  const bool is_made = coding == Coding::gzip || coding == Coding::zstd;
  if (!is_made || !text || text->size() < kLeastToCompress) return;
  response.body = coding == Coding::gzip ? gzip(*text) : zstd(*text);
  response.headers.emplace_back("Content-Encoding", word_of(coding));
}

}  // namespace coffer::http
