#include "core/sessions/known_device.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "core/keys/authenticator.h"

namespace coffer::core {
namespace {

constexpr std::size_t kBytes = 16;  ///< Of the id, and of each mark.
constexpr std::size_t kMostMarks = 5;

bool is_part(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 2 * kBytes && std::ranges::all_of(text, is_digit);
}

/// The id and the marks; empty if the cookie is malformed.
std::vector<std::string> parts_of(std::string_view cookie) {
  constexpr std::size_t kPart = 2 * kBytes + 1;  // With the point behind it.
  std::vector<std::string> parts;
  if (cookie.size() >= (kMostMarks + 1) * kPart) return {};
  for (std::size_t at = 0; at <= cookie.size(); at += kPart) {
    const std::string_view part = cookie.substr(at, 2 * kBytes);
    const bool is_ended = at + kPart > cookie.size() || cookie[at + kPart - 1] == '.';
    if (!is_part(part) || !is_ended) return {};
    parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

KnownDevice KnownDevice::parse(std::string_view cookie) {
  KnownDevice device;
  std::vector<std::string> parts = parts_of(cookie);
  if (parts.empty()) {
    device.id_ = random_hex(kBytes);
    return device;
  }
  device.id_ = std::move(parts.front());
  device.marks_.assign(std::next(parts.begin()), parts.end());
  return device;
}

bool KnownDevice::knows(const catalog::Account& account) const {
  if (account.password_hash.empty()) return false;
  const std::string wanted = mark_of(account);
  return std::ranges::any_of(marks_, [&](const std::string& mark) {
    return sodium_memcmp(mark.data(), wanted.data(), wanted.size()) == 0;
  });
}

void KnownDevice::add(const catalog::Account& account) {
  if (account.password_hash.empty()) return;
  const std::string mark = mark_of(account);
  std::erase(marks_, mark);
  marks_.insert(marks_.begin(), mark);
  if (marks_.size() > kMostMarks) marks_.resize(kMostMarks);
}

std::string KnownDevice::str() const {
  std::string text = id_;
  for (const std::string& mark : marks_) text.append(".").append(mark);
  return text;
}

std::string KnownDevice::mark_of(const catalog::Account& account) const {
  const std::string text =
      fmt::format("device {} {} {}", id_, account.id.value, account.password_hash);
  return to_hex(hash_secret(text)).substr(0, 2 * kBytes);
}

}  // namespace coffer::core
