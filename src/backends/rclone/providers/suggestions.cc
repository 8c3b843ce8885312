#include "backends/rclone/providers/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/text.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> suggestion(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

template <class Items, class Projection>
std::string list_of(const Items& items, Projection name_of) {
  std::string list;
  for (const auto& item : items) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", std::invoke(name_of, item));
  }
  return list;
}

/// Lower case, without the spaces and dashes around it.
std::string plain_spelling(std::string_view name) {
  const auto begin = std::min(name.find_first_not_of(" \t-"), name.size());
  name = name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
  return to_lower(name);
}

/// A name that a mistaken value cannot hide in.
std::string shown(std::string_view what, std::string_view name) {
  constexpr std::size_t kMaxShownBytes = 40;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; };
  if (name.empty() || name.size() > kMaxShownBytes || !std::ranges::all_of(name, fits)) {
    return fmt::format("This {}", what);
  }
  return fmt::format("The {} {}", what, name);
}

std::string_view known_type(std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"gcs", "google cloud storage"},
      {"googlecloudstorage", "google cloud storage"},
      {"gdrive", "drive"},
      {"google drive", "drive"},
      {"googledrive", "drive"},
      {"azure", "azureblob"},
      {"nextcloud", "webdav"},
      {"owncloud", "webdav"},
      {"aws", "s3"},
      {"minio", "s3"},
      {"backblaze", "b2"}};
  const std::string plain = plain_spelling(type);
  if (const Provider* const provider = find_provider(plain)) return provider->type;
  const auto* const found = std::ranges::find(
      kOtherNames, std::string_view(plain), &std::pair<std::string_view, std::string_view>::first);
  return found == std::ranges::end(kOtherNames) ? std::string_view() : found->second;
}

/// The allowed option that may have been meant by another spelling of its name.
const Option* meant_option(const Provider& provider, std::string_view name) {
  std::string plain = plain_spelling(name);
  std::ranges::replace(plain, '-', '_');
  const std::string prefix = fmt::format("{}_", provider.type);
  for (const Option& option : provider.options) {
    const std::string known = plain_spelling(option.name);
    if (plain == known || plain == prefix + known) return &option;
  }
  return nullptr;
}

}  // namespace

std::unexpected<Error> unknown_type(std::string_view type) {
  const std::string plain = plain_spelling(type);
  if (plain == "ftp" || plain == "sftp") {
    return suggestion(
        fmt::format("Make a connector of the kind {0}: {0} is no cloud drive.", plain));
  }
  if (const auto known = known_type(type); !known.empty()) {
    return suggestion(fmt::format("Write the provider as {}.", known));
  }
  return suggestion(fmt::format("{} is not allowed: take one of {}.", shown("provider", type),
                                list_of(provider_table(), &Provider::type)));
}

std::unexpected<Error> unknown_option(const Provider& provider, std::string_view name) {
  if (plain_spelling(name).starts_with("config_")) {
    return suggestion(
        "Leave out the options that begin with config_: they answer rclone's questions.");
  }
  if (const Option* const meant = meant_option(provider, name)) {
    return suggestion(fmt::format("Write the option as {}.", meant->name));
  }
  return suggestion(fmt::format("{} is not allowed with {}: leave it out, or take one of {}.",
                                shown("option", name), provider.type,
                                list_of(provider.options, &Option::name)));
}

}  // namespace coffer::rclone
