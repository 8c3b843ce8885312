#include "app/setting_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <ranges>
#include <utility>

#include "app/origin.h"
#include "app/similar_word.h"
#include "http/trusted_proxies.h"

namespace coffer::app {
namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

Setting text_setting(std::string_view key, std::string_view help, std::string Settings::* member) {
  return {key, help, std::string(),
          [member](Settings& settings, const SettingValue& value) -> Result<void> {
            settings.*member = std::get<std::string>(value);
            return {};
          },
          [member](const Settings& settings) { return SettingValue(settings.*member); }};
}

Setting time_setting(std::string_view key, std::string_view help,
                     std::chrono::milliseconds Settings::* member) {
  return {key, help, std::int64_t{},
          [member](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto number = std::get<std::int64_t>(value);
            if (number < 1 || number > 86'400'000) return refuse("must be 1 to 86400000");
            settings.*member = std::chrono::milliseconds(number);
            return {};
          },
          [member](const Settings& settings) {
            return SettingValue(std::int64_t{(settings.*member).count()});
          }};
}

/// A setting that takes one of a few words, given in the order of the enumeration.
template <class E>
Setting word_setting(std::string_view key, std::string_view help, E Settings::* member,
                     std::span<const std::string_view> words) {
  return {key, help, std::string(),
          [member, words](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto found = std::ranges::find(words, std::get<std::string>(value));
            if (found == words.end()) {
              return refuse(fmt::format("must be one of {}", fmt::join(words, ", ")));
            }
            settings.*member = static_cast<E>(found - words.begin());
            return {};
          },
          [member, words](const Settings& settings) {
            return SettingValue(std::string(words[static_cast<std::size_t>(settings.*member)]));
          }};
}

constexpr std::array<std::string_view, 2> kDurabilities{"durable", "relaxed"};
constexpr std::array<std::string_view, 2> kLogFormats{"text", "json"};
constexpr std::array<std::string_view, 5> kLogLevels{"debug", "info", "warning", "error", "off"};

Setting data_setting() {
  return {"data", "The data folder: files, catalog and staging.", std::string(),
          [](Settings& settings, const SettingValue& value) -> Result<void> {
            settings.data = std::get<std::string>(value);
            return {};
          },
          [](const Settings& settings) { return SettingValue(settings.data.string()); }};
}

Setting listen_setting() {
  return {
      "listen", "Address and port to serve on; port 0 takes a free one.", std::string(),
      [](Settings& settings, const SettingValue& value) -> Result<void> {
        const auto& text = std::get<std::string>(value);
        auto listen = ListenAddress::parse(text);
        if (!listen) {
          return refuse(fmt::format("must be an IP address, a colon and a port, not \"{}\"", text));
        }
        settings.listen = *std::move(listen);
        return {};
      },
      [](const Settings& settings) { return SettingValue(settings.listen.str()); }};
}

Setting bool_setting(std::string_view key, std::string_view help, bool Settings::* member) {
  return {key, help, bool{},
          [member](Settings& settings, const SettingValue& value) -> Result<void> {
            settings.*member = std::get<bool>(value);
            return {};
          },
          [member](const Settings& settings) { return SettingValue(settings.*member); }};
}

/// Lies no other way than its name says.
bool is_plain_absolute(const std::string& text) {
  const std::filesystem::path path(text);
  return path.is_absolute() && std::ranges::find(path, "..") == path.end();
}

Setting share_roots_setting() {
  return {"share_roots",
          "Folders of this server, by their absolute paths, beneath which administrators may share "
          "others in the web interface; none by default: then the command line alone does.",
          std::vector<std::string>(),
          [](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto& roots = std::get<std::vector<std::string>>(value);
            for (const std::string& root : roots) {
              if (is_plain_absolute(root)) continue;
              return refuse(fmt::format("must be absolute paths without \"..\", not \"{}\"", root));
            }
            settings.share_roots = roots;
            return {};
          },
          [](const Settings& settings) { return SettingValue(settings.share_roots); }};
}

Setting cors_setting() {
  return {"cors_origins",
          "Origins whose pages may call the API (scheme://host:port, or *); none by default.",
          std::vector<std::string>(),
          [](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto& origins = std::get<std::vector<std::string>>(value);
            for (const std::string& origin : origins) {
              if (origin == "*" || is_origin(origin)) continue;
              return refuse(fmt::format(
                  "must be origins as browsers send them (https://files.example.org, in lower "
                  "case, without a path) or \"*\", not \"{}\"",
                  origin));
            }
            settings.cors_origins = origins;
            return {};
          },
          [](const Settings& settings) { return SettingValue(settings.cors_origins); }};
}

Setting proxies_setting() {
  return {"trusted_proxies",
          "Addresses and networks (192.0.2.0/24) of proxies in front of the server, whose "
          "X-Forwarded-For and X-Forwarded-Proto are believed; none by default.",
          std::vector<std::string>(),
          [](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto& networks = std::get<std::vector<std::string>>(value);
            const auto parsed = http::TrustedProxies::parse(networks);
            if (!parsed) return refuse("must be addresses or networks: " + parsed.error().message);
            settings.trusted_proxies = networks;
            return {};
          },
          [](const Settings& settings) { return SettingValue(settings.trusted_proxies); }};
}

Setting admin_password_setting() {
  return {
      "admin_password_file",
      "A file with a password: on a catalog without any account the administrator \"admin\" is "
      "made with it. Empty: the server prints a link for set-up.",
      std::string(),
      [](Settings& settings, const SettingValue& value) -> Result<void> {
        settings.admin_password_file = std::get<std::string>(value);
        return {};
      },
      [](const Settings& settings) { return SettingValue(settings.admin_password_file.string()); }};
}

Setting metrics_setting() {
  return {
      "metrics_token_file",
      "A file with a token: /metrics answers those who show it (Authorization: Bearer). Empty: "
      "there are no metrics.",
      std::string(),
      [](Settings& settings, const SettingValue& value) -> Result<void> {
        settings.metrics_token_file = std::get<std::string>(value);
        return {};
      },
      [](const Settings& settings) { return SettingValue(settings.metrics_token_file.string()); }};
}

Setting number_setting(std::string_view key, std::string_view help,
                       std::uint64_t Settings::* member, std::int64_t least, std::int64_t most) {
  return {key, help, std::int64_t{},
          [=](Settings& settings, const SettingValue& value) -> Result<void> {
            const auto number = std::get<std::int64_t>(value);
            if (number < least || number > most) {
              return refuse(fmt::format("must be {} to {}", least, most));
            }
            settings.*member = static_cast<std::uint64_t>(number);
            return {};
          },
          [member](const Settings& settings) {
            return SettingValue(static_cast<std::int64_t>(settings.*member));
          }};
}

Result<SettingValue> bool_from(std::string_view text) {
  if (text == "true") return SettingValue(true);
  if (text == "false") return SettingValue(false);
  return refuse("must be true or false");
}

Result<SettingValue> number_from(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return refuse("must be a whole number");
  return SettingValue(number);
}

SettingValue list_from(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto part : text | std::views::split(',')) {
    if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

}  // namespace

std::span<const Setting> setting_table() {
  static const std::array<Setting, 22> kTable{
      data_setting(),
      listen_setting(),
      text_setting("database",
                   "The catalog: postgresql://… or sqlite:///file; empty is SQLite in the data "
                   "folder.",
                   &Settings::database),
      word_setting("durability",
                   "durable answers when files are safe from a power cut; relaxed does not wait.",
                   &Settings::durability, kDurabilities),
      word_setting("log_level", "debug, info, warning, error or off.", &Settings::log_level,
                   kLogLevels),
      word_setting("log_format", "text, or json: an object in each line of the log.",
                   &Settings::log_format, kLogFormats),
      bool_setting("access_log", "Log a line for each request.", &Settings::access_log),
      bool_setting("private_connectors",
                   "Servers that users mount may be on this machine or a private network, as those "
                   "that administrators mount.",
                   &Settings::private_connectors),
      share_roots_setting(),
      cors_setting(),
      proxies_setting(),
      admin_password_setting(),
      metrics_setting(),
      number_setting("audit_days", "How many days the audit log is kept.", &Settings::audit_days, 1,
                     36'500),
      number_setting("bin_days", "How many days a bin keeps what was deleted.", &Settings::bin_days,
                     1, 36'500),
      number_setting("threads", "Threads that serve connections; 0 is one for each core.",
                     &Settings::threads, 0, 1024),
      time_setting("header_timeout_ms", "How long a request's headers may take.",
                   &Settings::header_timeout),
      time_setting("idle_timeout_ms", "How long a connection may wait between requests.",
                   &Settings::idle_timeout),
      time_setting("stall_timeout_ms", "How long a body may stand still, either way.",
                   &Settings::stall_timeout),
      number_setting("min_rate_bytes",
                     "What a body must move by in a second, on average, either way; 0 is nothing.",
                     &Settings::min_rate_bytes, 0, 1'000'000'000),
      time_setting("min_rate_window_ms",
                   "The time over which that average is taken, while the client is waited for.",
                   &Settings::min_rate_window),
      time_setting("stop_timeout_ms", "How long running requests may take to finish at a stop.",
                   &Settings::stop_timeout),
  };
  return kTable;
}

const Setting* find_setting(std::string_view key) {
  const auto table = setting_table();
  const auto found = std::ranges::find(table, key, &Setting::key);
  return found == table.end() ? nullptr : &*found;
}

std::string_view nearest_key(std::string_view key) {
  return std::ranges::min(setting_table(), {},
                          [key](const Setting& setting) { return letters_apart(key, setting.key); })
      .key;
}

std::optional<std::string_view> similar_key(std::string_view key) {
  constexpr std::size_t kMostLetters = 2;
  const auto nearest = nearest_key(key);
  if (letters_apart(key, nearest) > kMostLetters) return std::nullopt;
  return nearest;
}

std::string variable_of(std::string_view key) {
  std::string name(kVariablePrefix);
  for (const unsigned char c : key) name += static_cast<char>(std::toupper(c));
  return name;
}

Result<SettingValue> value_from_text(const Setting& setting, std::string_view text) {
  switch (setting.kind.index()) {
    case 0:
      return bool_from(text);
    case 1:
      return number_from(text);
    case 2:
      return SettingValue(std::string(text));
    default:
      return list_from(text);
  }
}

}  // namespace coffer::app
