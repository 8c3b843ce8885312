#include "backends/rclone/providers/credential_json.h"

#include <algorithm>
#include <boost/json.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

constexpr std::string_view kTokenKeys[] = {"access_token", "token_type", "refresh_token", "expiry",
                                           "expires_in"};
constexpr std::string_view kAccountKeys[] = {"type",
                                             "project_id",
                                             "private_key_id",
                                             "private_key",
                                             "client_email",
                                             "client_id",
                                             "auth_uri",
                                             "token_uri",
                                             "auth_provider_x509_cert_url",
                                             "client_x509_cert_url",
                                             "universe_domain"};
/// The address where Google exchanges the signed request for a token.
constexpr std::string_view kTokenHosts[] = {"https://oauth2.googleapis.com/",
                                            "https://accounts.google.com/",
                                            "https://www.googleapis.com/"};

std::string_view view_of(json::string_view text) {
  return {text.data(), text.size()};
}

/// Returns the number of members of a JSON object without inner objects.
std::size_t count_members(std::string_view text) {
  std::size_t count = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_quoted && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && text[at] == ':') {
      ++count;
    }
  }
  return count;
}

/// Returns nullopt unless the text is an object with these keys alone, none of them twice: rclone
/// would read both values.
std::optional<json::object> object_of(std::string_view text,
                                      std::span<const std::string_view> keys) {
  boost::system::error_code failure;
  json::value value = json::parse(json::string_view(text.data(), text.size()), failure);
  if (failure || !value.is_object()) return std::nullopt;
  const auto is_known = [&](const auto& member) {
    return std::ranges::find(keys, view_of(member.key())) != keys.end();
  };
  const json::object& object = value.get_object();
  if (!std::ranges::all_of(object, is_known)) return std::nullopt;
  if (object.size() != count_members(text)) return std::nullopt;
  return std::move(value.get_object());
}

/// The text under a key; empty if there is none, nothing for what is no text.
std::optional<std::string_view> member_text(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(json::string_view(key.data(), key.size()));
  if (value == nullptr) return "";
  if (!value->is_string()) return std::nullopt;
  return view_of(value->get_string());
}

/// The number that some digits are; nothing for anything else among them.
std::optional<unsigned> number_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  return parse_number<unsigned>(text.substr(at, digits));
}

bool is_day(std::string_view text) {
  const auto year = number_at(text, 0, 4);
  const auto month = number_at(text, 5, 2);
  const auto day = number_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return false;
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(*month), std::chrono::day(*day))
      .ok();
}

bool is_hour_and_minute(std::string_view text) {
  const auto hour = number_at(text, 0, 2);
  const auto minute = number_at(text, 3, 2);
  return text.size() == 5 && text[2] == ':' && hour && *hour < 24 && minute && *minute < 60;
}

/// RFC 3339, as `2026-01-31T12:00:00.5+01:00`.
bool is_time(std::string_view text) {
  constexpr std::size_t kWholeSeconds = 19;
  if (text.size() <= kWholeSeconds || !is_day(text.substr(0, 10)) || text[10] != 'T') return false;
  const auto second = number_at(text, 17, 2);
  if (!is_hour_and_minute(text.substr(11, 5)) || text[16] != ':' || !second || *second > 59) {
    return false;
  }
  std::string_view rest = text.substr(kWholeSeconds);
  if (rest.starts_with('.')) {
    const auto end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end == 1) return false;
    rest.remove_prefix(end);
  }
  if (rest == "Z") return true;
  return (rest.starts_with('+') || rest.starts_with('-')) && is_hour_and_minute(rest.substr(1));
}

bool is_token(const json::object& token) {
  const auto expiry = member_text(token, "expiry");
  const bool is_dated = token.contains("expiry");
  const json::value* const seconds = token.if_contains("expires_in");
  return !member_text(token, "access_token").value_or("").empty() &&
         member_text(token, "token_type") && member_text(token, "refresh_token") &&
         (!is_dated || (expiry && is_time(*expiry))) && (seconds == nullptr || seconds->is_int64());
}

bool is_account(const json::object& account) {
  const auto server = member_text(account, "token_uri");
  const auto domain = member_text(account, "universe_domain");
  const auto is_text = [](const auto& member) { return member.value().is_string(); };
  return std::ranges::all_of(account, is_text) &&
         member_text(account, "type") == "service_account" &&
         !member_text(account, "client_email")->empty() &&
         !member_text(account, "private_key")->empty() &&
         (domain->empty() || domain == "googleapis.com") &&
         (server->empty() || std::ranges::any_of(kTokenHosts, [&](std::string_view host) {
            return server->starts_with(host);
          }));
}

}  // namespace

std::string fault_of_token(std::string_view text) {
  const auto token = object_of(text, kTokenKeys);
  if (token && is_token(*token)) return {};
  return "as the JSON that `rclone authorize` prints: an object with access_token, and perhaps "
         "token_type, refresh_token, expiry and expires_in.";
}

std::string email_of_service_account(std::string_view text) {
  const auto account = object_of(text, kAccountKeys);
  return account && is_account(*account) ? std::string(*member_text(*account, "client_email"))
                                         : std::string();
}

std::string fault_of_service_account(std::string_view text) {
  const auto account = object_of(text, kAccountKeys);
  if (account && is_account(*account)) return {};
  return "as the JSON of a key that Google made for a service account, unchanged: its type is "
         "service_account.";
}

}  // namespace coffer::rclone
