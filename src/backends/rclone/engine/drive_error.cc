#include "backends/rclone/engine/drive_error.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace coffer::rclone {
namespace {

/// The cause stands at the end of `context: context: cause`; names of items stand before it.
constexpr std::size_t kCauseBytes = 160;

struct Meaning {
  std::string_view sign;  ///< In lower case; an HTTP status counts where it is written as one.
  ErrorCode code;
  std::string_view message;
};

constexpr std::string_view kNoLogin = "The drive refuses the login.";
constexpr std::string_view kNoWay = "The drive cannot be reached.";
constexpr std::string_view kNotAllowed = "Connections to the drive's address are not allowed.";
constexpr std::string_view kOnlyHttps = "The drive must be reached by https.";
constexpr std::string_view kFull = "The drive has no space left.";
constexpr std::string_view kBusy = "The drive has too much to do just now.";
constexpr std::string_view kNotTrusted = "The drive's certificate is not trusted.";
constexpr std::string_view kTooSlow = "The drive does not answer in time.";
constexpr std::string_view kMissing = "There is no such file or folder.";
constexpr std::string_view kRefused = "The drive refuses this.";

using enum ErrorCode;
// The first that fits counts.
constexpr std::array kMeanings = {
    Meaning{"object not found", not_found, kMissing},
    Meaning{"directory not found", not_found, kMissing},
    // The reasons that Coffer's own proxy gives.
    Meaning{"address not allowed", unavailable, kNotAllowed},
    Meaning{"https only", unavailable, kOnlyHttps},
    Meaning{"x509", unavailable, kNotTrusted},
    Meaning{"connection refused", unavailable, kNoWay},
    Meaning{"no such host", unavailable, kNoWay},
    Meaning{"network is unreachable", unavailable, kNoWay},
    Meaning{"no route to host", unavailable, kNoWay},
    Meaning{"connection reset", unavailable, kNoWay},
    Meaning{"broken pipe", unavailable, kNoWay},
    // A request that the kernel refuses to a confined engine.
    Meaning{"connect: permission denied", unavailable, kNoWay},
    Meaning{"socket: permission denied", unavailable, kNoWay},
    Meaning{"i/o timeout", timed_out, kTooSlow},
    Meaning{"handshake timeout", timed_out, kTooSlow},
    Meaning{"deadline exceeded", timed_out, kTooSlow},
    Meaning{"gateway timeout", timed_out, kTooSlow},
    Meaning{"awaiting headers", timed_out, kTooSlow},
    Meaning{"insufficient storage", refused, kFull},
    Meaning{"507", refused, kFull},
    Meaning{"quota", refused, kFull},
    Meaning{"no space left", refused, kFull},
    Meaning{"not enough space", refused, kFull},
    Meaning{"insufficient_space", refused, kFull},
    Meaning{"429", refused, kBusy},
    Meaning{"too many requests", refused, kBusy},
    Meaning{"rate limit", refused, kBusy},
    Meaning{"ratelimit", refused, kBusy},
    Meaning{"slow down", refused, kBusy},
    Meaning{"401", unavailable, kNoLogin},
    Meaning{"unauthorized", unavailable, kNoLogin},
    Meaning{"invalid_grant", unavailable, kNoLogin},
    Meaning{"invalid_client", unavailable, kNoLogin},
    Meaning{"fetch token", unavailable, kNoLogin},
    Meaning{"empty token", unavailable, kNoLogin},
    Meaning{"token expired", unavailable, kNoLogin},
    Meaning{"invalidaccesskeyid", unavailable, kNoLogin},
    Meaning{"signaturedoesnotmatch", unavailable, kNoLogin},
    Meaning{"403", forbidden, kRefused},
    Meaning{"forbidden", forbidden, kRefused},
    Meaning{"accessdenied", forbidden, kRefused},
    Meaning{"500", unavailable, kNoWay},
    Meaning{"502", unavailable, kNoWay},
    Meaning{"503", unavailable, kNoWay},
    Meaning{"504", unavailable, kNoWay},
    Meaning{"bad gateway", unavailable, kNoWay},
    Meaning{"service unavailable", unavailable, kNoWay},
    Meaning{": eof", unavailable, kNoWay},
    Meaning{"unexpected eof", unavailable, kNoWay},
    Meaning{"internal server error", unavailable, kNoWay},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Quoted text is an address or a name.
std::string without_quoted(std::string_view text) {
  std::string rest;
  for (auto quote = text.find('"'); quote != text.npos; quote = text.find('"')) {
    const auto end = text.find('"', quote + 1);
    if (end == text.npos) break;
    rest += text.substr(0, quote);
    text.remove_prefix(end + 1);
  }
  return rest.append(text);
}

/// `Error 403: …`, `HTTP Error: 403 …`, `status code: 403`, `StatusCode=403`, `(403 …)`: not
/// a number that is part of a name.
bool tells_status(std::string_view cause, std::string_view status) {
  constexpr std::string_view kBefore[] = {"error ", "error: ", "code: ", "statuscode=", "("};
  for (auto at = cause.find(status); at != cause.npos; at = cause.find(status, at + 1)) {
    const auto before = cause.substr(0, at);
    const auto after = cause.substr(at + status.size());
    const bool ends = after.empty() || std::string_view(" :,.)").contains(after.front());
    const bool begins = at == 0 || std::ranges::any_of(kBefore, [&](std::string_view words) {
                          return before.ends_with(words);
                        });
    if (begins && ends) return true;
  }
  return false;
}

bool tells(std::string_view cause, std::string_view sign) {
  return is_digit(sign.front()) ? tells_status(cause, sign) : cause.contains(sign);
}

}  // namespace

Error error_of(unsigned status, std::string_view text) {
  constexpr unsigned kNotFound = 404;
  if (status == kNotFound) return {not_found, std::string(kMissing)};
  std::string cause = without_quoted(text);
  if (cause.size() > kCauseBytes) cause.erase(0, cause.size() - kCauseBytes);
  cause = to_lower(cause);
  for (const Meaning& meaning : kMeanings) {
    if (tells(cause, meaning.sign)) return {meaning.code, std::string(meaning.message)};
  }
  return {refused, std::string(kRefused)};
}

bool is_login_refused(const Error& error) {
  return error.message == kNoLogin;
}

}  // namespace coffer::rclone
