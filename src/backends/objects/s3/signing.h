#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace coffer::objects::s3 {

/// Names and values, in any order.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// What a store knows its client by.
struct Credentials {
  std::string access_key;
  std::string secret_key;
  /// Of temporary credentials; empty for others. It is a header, which the caller adds to those
  /// that are signed (`x-amz-security-token`).
  std::string session_token = {};
};

/// The parts of a request that its signature covers.
struct SignedParts {
  std::string_view method;
  std::string_view path;  ///< Absolute and not percent-encoded. Its slashes divide it.
  const Fields& query;    ///< Not percent-encoded.
  /// Must have `host`, and `x-amz-date` with the value of `signing_time`. S3 also wants
  /// `x-amz-content-sha256`.
  const Fields& headers;
  /// The SHA-256 of the body in lower-case hexadecimal digits, or `UNSIGNED-PAYLOAD`.
  std::string_view payload_hash;
};

/// What a signature is good for: a day in one region of one service.
struct SigningScope {
  Timestamp time;
  std::string_view region;
  std::string_view service = "s3";
};

/// Returns the value of the header `Authorization` by AWS Signature Version 4, as "Authenticating
/// Requests (AWS Signature Version 4)" of the API reference of Amazon S3 describes it: the path is
/// percent-encoded once and not normalized.
std::string authorization(const SignedParts& parts, const Credentials& credentials,
                          const SigningScope& scope);

/// Returns the time as signatures have it, such as `20130524T000000Z`.
std::string signing_time(Timestamp time);

/// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3, and slashes.
std::string encode_path(std::string_view path);
/// Returns the query as it is signed, and has to be sent: percent-encoded and sorted.
std::string encode_query(const Fields& query);

/// Returns the SHA-256 in lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace coffer::objects::s3
