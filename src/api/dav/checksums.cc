#include "api/dav/checksums.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

constexpr std::pair<std::string_view, core::DigestKind> kAlgorithms[] = {
    {"SHA1", core::DigestKind::sha1}, {"SHA256", core::DigestKind::sha256}};

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

XmlName checksums_name() {
  return {std::string(kOwnCloudNamespace), std::string(kChecksums)};
}

}  // namespace

std::string Checksum::str() const {
  const auto* const found =
      std::ranges::find(kAlgorithms, kind, &std::pair<std::string_view, core::DigestKind>::second);
  return std::string(found->first) + ':' + hex;
}

Result<std::optional<Checksum>> checksum_in(const http::Request& request) {
  const auto header = request.header("OC-Checksum");
  if (!header) return std::nullopt;
  std::string_view digits = *header;
  const std::string_view word = http::cut_front(digits, ':');
  const auto* const found = std::ranges::find_if(
      kAlgorithms, [&](const auto& one) { return equal_ignoring_case(one.first, word); });
  if (found == std::end(kAlgorithms)) return std::nullopt;
  Checksum checksum{found->second, std::string(http::trim(digits))};
  for (char& c : checksum.hex) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool is_whole = checksum.hex.size() == 2 * core::digest_bytes(checksum.kind);
  if (!is_whole || !std::ranges::all_of(checksum.hex, &is_hex_digit)) {
    return fail(ErrorCode::invalid, "The header OC-Checksum is no checksum of its algorithm.");
  }
  return checksum;
}

DeadProperty stored_checksum(const Checksum& checksum, std::string_view etag) {
  XmlElement element;
  element.name = checksums_name();
  element.texts.front() = checksum.str() + ' ' + std::string(etag);
  return {element.name, text_of(element)};
}

std::optional<std::string> known_checksum(const DeadProperties& stored, std::string_view etag) {
  const DeadProperty* const property = find_property(stored, checksums_name());
  if (property == nullptr) return std::nullopt;
  XmlParser parser({.bytes = 1'024});
  if (!parser.add(property->xml)) return std::nullopt;
  const auto element = parser.finish();
  if (!element) return std::nullopt;
  const std::string text = element->text();
  std::string_view rest = text;
  const std::string_view checksum = http::cut_front(rest, ' ');
  if (rest != etag) return std::nullopt;
  return std::string(checksum);
}

bool is_checksums(const XmlName& name) {
  return name.space == kOwnCloudNamespace && name.local == kChecksums;
}

}  // namespace coffer::api::dav
