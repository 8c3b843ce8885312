#include "core/identity/proxy_sign_in.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::size_t kLongestUser = 255;
constexpr std::size_t kLongestProxyGroup = 256;
constexpr std::size_t kMostProxyGroups = 1'000;

bool is_plain(std::string_view text) {
  return is_utf8(text) && !has_control_character(text);
}

/// A comma may come of two names in two headers, which a proxy made one.
Result<void> check_user(std::string_view user) {
  if (user.empty()) return fail(ErrorCode::invalid, "The proxy's name of the person is empty.");
  const bool has_blank_end = user.front() == ' ' || user.back() == ' ';
  const bool is_good = user.size() <= kLongestUser && is_plain(user) && !user.contains(',');
  if (is_good && !has_blank_end) return {};
  return fail(
      ErrorCode::invalid,
      "The proxy's name of the person must be one name: UTF-8 of at most 255 bytes, without "
      "control characters and commas.");
}

Result<std::vector<std::string>> groups_in(std::string_view list) {
  std::vector<std::string> groups;
  for (const auto part : list | std::views::split(',')) {
    std::string_view group(part.begin(), part.end());
    while (group.starts_with(' ')) group.remove_prefix(1);
    while (group.ends_with(' ')) group.remove_suffix(1);
    if (group.empty()) continue;
    if (!is_plain(group) || group.size() > kLongestProxyGroup ||
        groups.size() == kMostProxyGroups) {
      return fail(
          ErrorCode::invalid,
          "The proxy's groups of the person must be at most 1000 names, separated by commas, "
          "each UTF-8 of at most 256 bytes without control characters.");
    }
    groups.emplace_back(group);
  }
  return groups;
}

}  // namespace

Result<ProvidedPerson> person_of(const ProxyWords& words) {
  TRY_VOID(check_user(words.user));
  ProvidedPerson person;
  person.identity = {std::string(kProxyIssuer), words.user};
  person.name = words.user;
  if (words.groups) {
    TRY(person.groups, groups_in(*words.groups));
  }
  return person;
}

Task<Result<SignedIn>> ProxySignIn::open(const ProxyWords& words, const SignInClient& client) {
  CO_TRY(const auto person, person_of(words));
  CO_TRY(const auto account, co_await accounts_.of(person, client.address));
  catalog::SessionOrigin origin{catalog::SignInMethod::proxy, person.identity.issuer,
                                person.identity.subject};
  std::optional<catalog::UsedFactor> no_factor;
  SignInClient opening = client;
  co_return co_await sign_in_.open_session(account, std::move(origin), std::move(no_factor),
                                           std::move(opening));
}

Task<Result<SignedIn>> ProxySignIn::sign_in(ProxyWords words, SignInClient client) {
  auto opened = co_await open(words, client);
  const bool is_refused = !opened && (opened.error().code == ErrorCode::forbidden ||
                                      opened.error().code == ErrorCode::invalid);
  if (is_refused) {
    catalog::Actor actor{"", client.address};
    const auto person = person_of(words);
    std::string who = person ? person->identity.subject : "";
    CO_TRY_VOID(co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                              std::move(who), opened.error().message));
  }
  co_return opened;
}

Task<Result<void>> ProxySignIn::confirm(const Principal& principal, ProxyWords words) {
  CO_TRY(auto person, person_of(words));
  CO_TRY_VOID(accounts_.check_is_allowed(person));
  CO_TRY(const auto identities, co_await catalog_.identities().list(principal.account->id));
  const bool is_own = std::ranges::any_of(identities, [&person](const catalog::Identity& identity) {
    return identity.name == person.identity;
  });
  if (!is_own) {
    co_return fail(ErrorCode::forbidden,
                   "The proxy names another person than one who signs in to this account.");
  }
  co_return co_await catalog_.web_sessions().confirm_provided(
      principal.account->id, principal.credential->hash, std::move(person.identity));
}

Task<Result<ForeseenSignIn>> ProxySignIn::foresee(ProxyWords words) {
  CO_TRY(const auto person, person_of(words));
  co_return co_await accounts_.foresee(person);
}

}  // namespace coffer::core
