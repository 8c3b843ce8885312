#include "http/static_file.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "http/compression.h"
#include "http/conditional.h"

namespace coffer::http {
namespace {

/// Bytes of the program itself. As with code, the first read may load them from the disk.
class ProgramBytes final : public Content {
 public:
  explicit ProgramBytes(std::string_view bytes) : bytes_(bytes) {}

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    co_return copy(offset, out);
  }
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    return copy(offset, out);
  }
  std::optional<int> descriptor() const override { return {}; }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }

 private:
  std::size_t copy(std::uint64_t offset, std::span<std::byte> out) const {
    const auto from = std::as_bytes(std::span(bytes_)).subspan(std::min(offset, bytes_.size()));
    const std::size_t size = std::min(from.size(), out.size());
    std::ranges::copy(from.first(size), out.begin());
    return size;
  }

  const std::string_view bytes_;
};

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
  const std::string_view bytes = bytes_in(file, coding);
  ContentBody body;
  body.content = std::make_shared<ProgramBytes>(bytes);
  if (!bytes.empty()) body.stretches.push_back({{}, 0, bytes.size()});
  response.body = std::move(body);
  return response;
}

}  // namespace coffer::http
