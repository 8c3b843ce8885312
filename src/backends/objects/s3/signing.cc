#include "backends/objects/s3/signing.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/text.h"

namespace coffer::objects::s3 {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

using Mac = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Mac hmac(std::span<const unsigned char> key, std::string_view text) {
  // crypto_auth_hmacsha256() takes keys of 32 bytes only.
  crypto_auth_hmacsha256_state state;
  Mac mac;
  crypto_auth_hmacsha256_init(&state, key.data(), key.size());
  crypto_auth_hmacsha256_update(&state, bytes_of(text), text.size());
  crypto_auth_hmacsha256_final(&state, mac.data());
  return mac;
}

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

std::string percent_encode(std::string_view text, bool keeps_slashes) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c) || (keeps_slashes && c == '/')) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

/// Without blanks at both ends, and with one for several in a row.
std::string trimmed(std::string_view value) {
  std::string result;
  for (const char c : value) {
    if (c != ' ') {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

/// Headers with names in lower case, sorted by them, each name once.
Fields canonical_headers(const Fields& headers) {
  Fields sorted;
  for (const auto& [name, value] : headers) sorted.emplace_back(to_lower(name), trimmed(value));
  std::ranges::stable_sort(sorted, {}, &Fields::value_type::first);
  Fields joined;
  for (auto& [name, value] : sorted) {
    if (!joined.empty() && joined.back().first == name) {
      joined.back().second += "," + value;
    } else {
      joined.emplace_back(std::move(name), std::move(value));
    }
  }
  return joined;
}

std::string names_of(const Fields& headers) {
  std::string names;
  for (const auto& header : headers) {
    if (!names.empty()) names += ';';
    names += header.first;
  }
  return names;
}

std::string canonical_request(const SignedParts& parts, const Fields& headers) {
  std::string lines;
  for (const auto& [name, value] : headers) lines += fmt::format("{}:{}\n", name, value);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", parts.method, encode_path(parts.path),
                     encode_query(parts.query), lines, names_of(headers), parts.payload_hash);
}

Mac signing_key(const std::string& secret_key, std::string_view date, const SigningScope& scope) {
  std::string secret = "AWS4" + secret_key;
  Mac key = hmac({bytes_of(secret), secret.size()}, date);
  sodium_memzero(secret.data(), secret.size());
  for (const std::string_view part :
       {scope.region, scope.service, std::string_view("aws4_request")}) {
    key = hmac(key, part);
  }
  return key;
}

}  // namespace

std::string authorization(const SignedParts& parts, const Credentials& credentials,
                          const SigningScope& scope) {
  const Fields headers = canonical_headers(parts.headers);
  const std::string time = signing_time(scope.time);
  const std::string date = time.substr(0, 8);
  const std::string place = fmt::format("{}/{}/{}/aws4_request", date, scope.region, scope.service);
  const std::string text = fmt::format("{}\n{}\n{}\n{}", kAlgorithm, time, place,
                                       sha256_hex(canonical_request(parts, headers)));
  const Mac signature = hmac(signing_key(credentials.secret_key, date, scope), text);
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm,
                     credentials.access_key, place, names_of(headers),
                     to_hex(std::as_bytes(std::span(signature))));
}

std::string signing_time(Timestamp time) {
  std::string text = format_timestamp(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

std::string encode_path(std::string_view path) {
  return percent_encode(path, true);
}

std::string encode_query(const Fields& query) {
  Fields encoded;
  for (const auto& [name, value] : query) {
    encoded.emplace_back(percent_encode(name, false), percent_encode(value, false));
  }
  std::ranges::sort(encoded);
  std::string text;
  for (const auto& [name, value] : encoded) {
    if (!text.empty()) text += '&';
    text += fmt::format("{}={}", name, value);
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), bytes_of(bytes), bytes.size());
  return to_hex(std::as_bytes(std::span(digest)));
}

}  // namespace coffer::objects::s3
