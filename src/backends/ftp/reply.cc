#include "backends/ftp/reply.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "backends/remote/adapter.h"
#include "base/text.h"

namespace coffer::ftp {
namespace {

template <std::size_t N>
bool has_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words, [&](auto word) { return text.find(word) != text.npos; });
}

constexpr std::array<std::string_view, 7> kMissing = {"no such",
                                                      "not found",
                                                      "cannot find",
                                                      "can't find",
                                                      "does not exist",
                                                      "doesn't exist",
                                                      "can't check for file existence"};
constexpr std::array<std::string_view, 4> kTaken = {"already exist", "file exists", "name is taken",
                                                    "target exists"};
constexpr std::array<std::string_view, 6> kDenied = {
    "permission", "not permitted", "access denied", "access is de", "not allowed", "read-only"};
constexpr std::array<std::string_view, 4> kFull = {"no space", "disk full", "quota",
                                                   "not enough space"};

Error error_of_text(std::string_view text, Error otherwise) {
  if (has_one_of(text, kMissing)) return remote::fail_missing().error();
  if (has_one_of(text, kTaken)) return remote::fail_taken().error();
  if (has_one_of(text, kFull)) return {ErrorCode::refused, "The FTP server has no space left."};
  if (has_one_of(text, kDenied)) {
    return {ErrorCode::forbidden, "The FTP server does not allow this."};
  }
  return otherwise;
}

}  // namespace

Error refused_item() {
  return {ErrorCode::forbidden, "The FTP server refuses this."};
}

bool Reply::fits(Wanted wanted) const {
  if (wanted == Wanted::any) return true;
  return wanted == Wanted::more ? wants_more() : is_done();
}

bool Reply::is_farewell() const {
  if (code == 221 || code == 421) return true;
  std::string_view line = text;
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  line.remove_prefix(line.rfind('\n') + 1);  // The whole of it where there is none.
  return line.size() > 4 && to_lower(line.substr(4)) == "logout.";
}

bool Reply::tells_of_no_access() const {
  return to_lower(text).find("failed to open directory") != std::string::npos;
}

bool Reply::is_done() const {
  if (code < 200 || code >= 300 || code == 202) return false;
  const int group = code / 10 % 10;
  return group == 0 || group == 1 || group == 5;
}

Features Features::parse(std::string_view feat_reply) {
  Features features;
  for (const auto part : feat_reply | std::views::split('\n')) {
    const std::string line = to_lower(std::string_view(part.begin(), part.end()));
    // Each feature has a line of its own that begins with a space; banners do not.
    if (!line.starts_with(' ')) continue;
    const auto feature = std::string_view(line).substr(1);
    if (feature.starts_with("mlst ")) {
      const auto offers = [&](std::string_view fact) { return feature.find(fact) != feature.npos; };
      // A star marks the facts that are sent without being asked for.
      features.mlst = offers("type*;") && offers("size*;") && offers("modify*;");
    }
    if (feature.starts_with("mfmt")) features.mfmt = true;
    if (feature.starts_with("utf8")) features.utf8 = true;
  }
  return features;
}

Error reply_error(const Reply& reply, Error otherwise) {
  switch (reply.code) {
    case 421:
      return {ErrorCode::unavailable, "The FTP server closes the connection."};
    case 425:
    case 426:
      return {ErrorCode::unavailable, "The FTP server cannot open a data connection."};
    case 430:
    case 530:
      return {ErrorCode::unavailable, "The FTP server refused the login."};
    case 452:
    case 552:
      return {ErrorCode::refused, "The FTP server has no space left."};
    case 202:
    case 500:
    case 502:
    case 504:
      return {ErrorCode::refused, "The FTP server does not know the command for this."};
    case 532:
      return {ErrorCode::forbidden, "The FTP server does not allow this."};
    default:
      if (reply.passing()) otherwise = {ErrorCode::refused, "The FTP server cannot do this now."};
      return error_of_text(to_lower(reply.text), std::move(otherwise));
  }
}

bool says_missing(const Reply& reply) {
  return reply_error(reply, {}).code == ErrorCode::not_found;
}

}  // namespace coffer::ftp
