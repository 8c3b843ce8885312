#include "backends/objects/s3/s3_client.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "backends/curl/curl.h"
#include "backends/objects/s3/xml_answer.h"
#include "base/clock.h"
#include "base/encoding.h"
#include "base/text.h"

namespace coffer::objects::s3 {
namespace {

constexpr std::size_t kMostRemoved = 1000;
constexpr std::chrono::milliseconds kForEachRemoval(50);  // Stores remove one after the other.
constexpr std::string_view kHashOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr auto kLongestRetryAfter = std::chrono::hours(1);
constexpr auto kClockNews = std::chrono::minutes(1);

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

/// A part of the URL; empty if it has none.
std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl::url_get(url, part, &text, part == CURLUPART_PORT ? CURLU_NO_DEFAULT_PORT : 0) !=
      CURLUE_OK) {
    return {};
  }
  const curl::Text owner(text);
  return text;
}

bool is_bucket(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

/// It stands in a header.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_prefix(std::string_view prefix) {
  if (prefix.empty()) return true;
  const std::string slashed = fmt::format("/{}/", prefix);
  return is_utf8(prefix) && !has_control_character(prefix) && !slashed.contains("//") &&
         !slashed.contains("/./") && !slashed.contains("/../");
}

Result<void> check(const S3Options& options) {
  if (!is_bucket(options.bucket)) return wrong("The name of the bucket is missing or wrong.");
  if (options.region.empty() || !is_plain(options.region)) return wrong("The region is wrong.");
  if (!is_prefix(options.prefix)) return wrong("The prefix is wrong.");
  const Credentials& credentials = options.credentials;
  if (credentials.access_key.empty() || !is_plain(credentials.access_key) ||
      !is_plain(credentials.session_token)) {
    return wrong("The access key or the session token is missing or wrong.");
  }
  if (credentials.secret_key.empty()) return wrong("The secret key is missing.");
  if (options.connections == 0) return wrong("There must be one connection at least.");
  return {};
}

std::string md5_base64(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr) != 1) {
    throw std::runtime_error("MD5 is not available, which S3 wants for removals");
  }
  return to_base64({reinterpret_cast<const char*>(digest.data()), size});
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::optional<std::uint64_t> whole_bytes = {};
};

/// Parses `bytes 0-9/20` or `bytes 0-9/*` (RFC 9110, section 14.4).
std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (!text.starts_with("bytes ")) return std::nullopt;
  text.remove_prefix(6);
  const auto dash = text.find('-');
  const auto slash = text.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || slash < dash) {
    return std::nullopt;
  }
  const auto first = parse_number<std::uint64_t>(text.substr(0, dash));
  const auto last = parse_number<std::uint64_t>(text.substr(dash + 1, slash - dash - 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return ContentRange{*first, *last, parse_number<std::uint64_t>(text.substr(slash + 1))};
}

Outcome outcome_of_failure(HttpFailure::Kind kind) {
  using enum HttpFailure::Kind;
  switch (kind) {
    case unreachable:
      return Outcome::unreachable;
    case no_tls:
      return Outcome::no_tls;
    case untrusted:
      return Outcome::untrusted;
    case bad_ca_file:
      return Outcome::bad_ca_file;
    case timed_out:
      return Outcome::timed_out;
    case cut:
      return Outcome::cut;
    case not_http:
      return Outcome::damaged;
    case ending:
      return Outcome::ending;
    case lack:
      return Outcome::lack;
  }
  std::unreachable();
}

}  // namespace

Result<S3Client::Address> S3Client::address_of(const S3Options& options) {
  const char* const kWrong = "The endpoint must be http://host or https://host, or with a port.";
  const curl::Url url(curl::url());
  if (!url) throw std::bad_alloc();
  if (curl::url_set(url.get(), CURLUPART_URL, options.endpoint.c_str(), 0) != CURLUE_OK) {
    return wrong(kWrong);
  }
  Address address{part_of(url.get(), CURLUPART_SCHEME), part_of(url.get(), CURLUPART_HOST)};
  const bool is_http = address.scheme == "http" || address.scheme == "https";
  const bool has_more = part_of(url.get(), CURLUPART_PATH) != "/" ||
                        !part_of(url.get(), CURLUPART_USER).empty() ||
                        !part_of(url.get(), CURLUPART_QUERY).empty() ||
                        !part_of(url.get(), CURLUPART_FRAGMENT).empty();
  if (!is_http || has_more || !is_plain(address.authority)) return wrong(kWrong);
  const std::string port = part_of(url.get(), CURLUPART_PORT);
  if (!port.empty()) address.authority += ":" + port;
  return address;
}

Result<std::shared_ptr<S3Client>> S3Client::make(S3Options options) {
  TRY_VOID(check(options));
  TRY(Address address, address_of(options));
  return std::shared_ptr<S3Client>(new S3Client(std::move(options), std::move(address)));
}

S3Client::S3Client(S3Options options, Address address)
    : options_(std::move(options)),
      address_(std::move(address)),
      handles_({.ca_file = options_.ca_file,
                .connect_limit = options_.deadlines.connect,
                .stall_limit = options_.deadlines.stall,
                .ending = options_.deadlines.ending}) {}

std::string S3Client::place() const {
  return fmt::format("{}://{}, bucket {}", address_.scheme, address_.authority, options_.bucket);
}

std::string S3Client::full_key(std::string_view key) const {
  return options_.prefix.empty() ? std::string(key) : fmt::format("{}/{}", options_.prefix, key);
}

std::string S3Client::bucket_path() const {
  return options_.style == BucketStyle::path ? "/" + options_.bucket : "";
}

std::string S3Client::path_of(std::string_view key) const {
  return fmt::format("{}/{}", bucket_path(), full_key(key));
}

std::string S3Client::host() const {
  if (options_.style == BucketStyle::path) return address_.authority;
  return fmt::format("{}.{}", options_.bucket, address_.authority);
}

HttpRequest S3Client::signed_request(const Request& request) const {
  const Timestamp time = options_.now() + clock_offset();
  Fields headers = request.headers;
  headers.emplace_back("Host", host());
  headers.emplace_back("X-Amz-Date", signing_time(time));
  headers.emplace_back("X-Amz-Content-Sha256", request.payload_hash);
  const Credentials& credentials = options_.credentials;
  if (!credentials.session_token.empty()) {
    headers.emplace_back("X-Amz-Security-Token", credentials.session_token);
  }
  const std::string signature = authorization({.method = request.method,
                                               .path = request.path,
                                               .query = request.query,
                                               .headers = headers,
                                               .payload_hash = request.payload_hash},
                                              credentials, {time, options_.region});
  headers.emplace_back("Authorization", signature);

  const std::size_t contents_bytes = request.body.size() + request.out.size();
  HttpRequest http{
      .method = request.method,
      .url = fmt::format("{}://{}{}", address_.scheme, host(), encode_path(request.path)),
      .headers = {},
      .body = request.body,
      .out = request.out,
      .limit = options_.deadlines.reply + request.more_time +
               std::chrono::milliseconds(contents_bytes * 1000 / options_.slowest_bytes_per_s)};
  if (!request.query.empty()) http.url.append("?").append(encode_query(request.query));
  for (const auto& [name, value] : headers)
    http.headers.push_back(fmt::format("{}: {}", name, value));
  return http;
}

template <class Judge>
Attempt S3Client::send(const Request& request, Judge judge) {
  for (bool is_first = true;; is_first = false) {
    const auto answer = handles_.perform(signed_request(request));
    if (!answer) {
      const HttpFailure& failure = answer.error();
      return {.outcome = outcome_of_failure(failure.kind),
              .detail = failure.detail,
              .lack = failure.lack};
    }
    Attempt attempt = judge(*answer);
    if (attempt.outcome != Outcome::skewed || !is_first || !learn_clock(*answer)) return attempt;
  }
}

bool S3Client::learn_clock(const HttpAnswer& answer) {
  const auto date = parse_http_date(answer.date);
  if (!date) return false;
  const auto offset = std::chrono::round<std::chrono::seconds>(*date - options_.now());
  const std::chrono::seconds earlier(clock_offset_.exchange(offset.count()));
  // Requests that are refused together learn the same.
  if (std::chrono::abs(offset - earlier) >= kClockNews) {
    spdlog::warn(
        "The clocks of this machine and of the object store differ by {} seconds. Requests are "
        "signed with the store's time; look at both clocks.",
        std::chrono::abs(offset).count());
  }
  return true;
}

std::chrono::seconds S3Client::retry_after(const HttpAnswer& answer) const {
  using std::chrono::seconds;
  seconds after{0};
  if (const auto count = parse_number<std::uint32_t>(answer.retry_after)) {
    after = seconds(*count);
  } else if (const auto date = parse_http_date(answer.retry_after)) {
    after = std::chrono::ceil<seconds>(*date - (options_.now() + clock_offset()));
  }
  return std::clamp<seconds>(after, seconds(0), kLongestRetryAfter);
}

Attempt S3Client::attempt_of(const HttpAnswer& answer) const {
  std::string code;
  if (const auto xml = parse_answer(answer.body); xml && xml->root == "Error") {
    code = xml->errors.at(0).code;
  }
  return {.outcome = outcome_of(answer.status, code),
          .detail = code.empty() ? fmt::format("status {}", answer.status)
                                 : fmt::format("status {}, {}", answer.status, code),
          .retry_after = retry_after(answer)};
}

S3Client::Request S3Client::put_request(std::string_view key, std::span<const std::byte> bytes,
                                        const std::string& sha256) const {
  return {.method = "PUT",
          .path = path_of(key),
          .headers = {{"Content-Type", "application/octet-stream"}},
          .payload_hash = sha256,
          .body = bytes};
}

Attempt S3Client::put(std::string_view key, std::span<const std::byte> bytes,
                      const std::string& sha256) {
  return send(put_request(key, bytes, sha256),
              [this](const HttpAnswer& answer) { return attempt_of(answer); });
}

Attempt S3Client::put_new(std::string_view key, std::span<const std::byte> bytes,
                          const std::string& sha256) {
  Request request = put_request(key, bytes, sha256);
  request.headers.emplace_back("If-None-Match", "*");
  return send(request, [this](const HttpAnswer& answer) {
    Attempt attempt = attempt_of(answer);
    // 409: two such requests at once, under one code or another.
    if (answer.status == 409) attempt.outcome = Outcome::taken;
    return attempt;
  });
}

Attempt S3Client::read(std::string_view key, std::uint64_t offset, std::span<std::byte> out) {
  Attempt attempt =
      send({.method = "GET",
            .path = path_of(key),
            .headers = {{"Range", fmt::format("bytes={}-{}", offset, offset + out.size() - 1)}},
            .payload_hash = std::string(kHashOfNothing),
            .out = out},
           [&](const HttpAnswer& answer) { return read_outcome(answer, offset, out.size()); });
  if (!attempt.is_done()) attempt.detail += fmt::format(", key {}", full_key(key));
  return attempt;
}

Attempt S3Client::read_outcome(const HttpAnswer& answer, std::uint64_t offset,
                               std::uint64_t size) const {
  if (answer.status < 200 || answer.status > 299) return attempt_of(answer);
  if (answer.status != 206) {
    return {.outcome = answer.status == 200 ? Outcome::no_ranges : Outcome::damaged,
            .detail = fmt::format("status {} for a range", answer.status)};
  }
  const auto range = parse_content_range(answer.content_range);
  const bool is_from_here = range && range->first == offset && range->last < offset + size;
  if (!is_from_here || answer.is_too_long) {
    return {.outcome = Outcome::damaged, .detail = "another range than was asked for"};
  }
  if (range->last < offset + size - 1 && range->whole_bytes == range->last + 1) {
    return {.outcome = Outcome::too_short,
            .detail = fmt::format("{} bytes in all, wanted {} from {}", *range->whole_bytes, size,
                                  offset)};
  }
  if (range->last != offset + size - 1) {
    return {.outcome = Outcome::damaged, .detail = "less than the range that was asked for"};
  }
  if (answer.received_bytes != size) {
    return {.outcome = Outcome::cut,
            .detail = fmt::format("{} of {} bytes", answer.received_bytes, size)};
  }
  return {};
}

Attempt S3Client::remove(std::string_view key) {
  Attempt attempt =
      send({.method = "DELETE", .path = path_of(key), .payload_hash = std::string(kHashOfNothing)},
           [this](const HttpAnswer& answer) { return attempt_of(answer); });
  if (attempt.outcome == Outcome::missing) return {};
  return attempt;
}

Attempt S3Client::remove(std::span<const std::string> keys) {
  if (keys.size() > kMostRemoved) throw std::invalid_argument("too many objects to remove");
  std::string body =
      "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>";
  for (const std::string& key : keys) {
    body += fmt::format("<Object><Key>{}</Key></Object>", xml_escaped(full_key(key)));
  }
  body += "</Delete>";
  const std::string bucket = bucket_path();
  return send({.method = "POST",
               .path = bucket.empty() ? "/" : bucket,
               .query = {{"delete", ""}},
               .headers = {{"Content-Type", "application/xml"}, {"Content-MD5", md5_base64(body)}},
               .payload_hash = sha256_hex(body),
               .body = std::as_bytes(std::span(body)),
               .more_time = kForEachRemoval * keys.size()},
              [&](const HttpAnswer& answer) { return removal_outcome(answer, keys); });
}

Attempt S3Client::find_key(std::string_view after, std::optional<std::string>& key) {
  const std::string below = full_key("");
  const std::string bucket = bucket_path();
  const auto judge = [&](const HttpAnswer& answer) -> Attempt {
    if (answer.status != 200) return attempt_of(answer);
    const auto xml = parse_answer(answer.body);
    if (!xml || xml->root != "ListBucketResult") {
      return {.outcome = Outcome::damaged, .detail = "no ListBucketResult"};
    }
    key.reset();
    if (xml->keys.empty()) return {};
    if (!xml->keys.front().starts_with(below)) {
      return {.outcome = Outcome::damaged, .detail = "a key outside of the prefix"};
    }
    key = xml->keys.front().substr(below.size());
    return {};
  };
  return send({.method = "GET",
               .path = bucket.empty() ? "/" : bucket,
               .query = {{"list-type", "2"},
                         {"max-keys", "1"},
                         {"prefix", below},
                         {"start-after", full_key(after)}},
               .payload_hash = std::string(kHashOfNothing)},
              judge);
}

Attempt S3Client::removal_outcome(const HttpAnswer& answer,
                                  std::span<const std::string> keys) const {
  if (answer.status != 200) return attempt_of(answer);
  const auto xml = parse_answer(answer.body);
  const bool is_result = xml && (xml->root == "DeleteResult" || xml->root == "Error");
  if (!is_result) return {.outcome = Outcome::damaged, .detail = "no DeleteResult"};
  Attempt attempt;
  std::set<std::string> refused;
  for (const StoreError& error : xml->errors) {
    // The status of such an error is not told; what has no known code may pass.
    const Outcome outcome = outcome_of(500, error.code);
    if (outcome == Outcome::missing) continue;
    refused.insert(error.key);
    if (!attempt.is_done()) continue;
    attempt = {.outcome = outcome,
               .detail = fmt::format("removal of several, {} not removed, first by {}",
                                     xml->errors.size(), error.code),
               .retry_after = retry_after(answer)};
  }
  std::ranges::copy_if(keys, std::back_inserter(attempt.refused),
                       [&](const std::string& key) { return refused.contains(full_key(key)); });
  // An error that names none of them may be that of any. A store that is busy for all is busy.
  const bool is_unclear = attempt.refused.size() != refused.size();
  const bool is_busy =
      refused.size() == keys.size() && repeat_after(attempt.outcome) == Repeat::for_a_time;
  if (is_unclear || is_busy) attempt.refused.clear();
  return attempt;
}

}  // namespace coffer::objects::s3
