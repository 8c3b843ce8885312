#include "core/identity/provider_sign_in.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/connectors/drive_logins.h"
#include "core/keys/authenticator.h"
#include "core/sessions/guess_limits.h"
#include "core/sessions/password_queue.h"

namespace coffer::core {
namespace {

/// In hexadecimal 64 characters (RFC 7636, section 4.1).
constexpr std::size_t kSecretBytes = 32;
/// Of a person's name in the audit log.
constexpr std::size_t kLongestNoted = 255;

std::string subject_of(const SignInClient& client) {
  return "provider " + PasswordAsker::at(client.address).holder;
}

/// Errors of the provider too, and none of this machine.
bool is_noted(const Error& error) {
  return error.code != ErrorCode::rate_limited && error.code != ErrorCode::overloaded &&
         !is_own_failure(error.code);
}

bool is_of_provider(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

}  // namespace

Task<Result<BegunProviderSignIn>> ProviderSignIn::begin_flow(ProviderFlow flow,
                                                             std::string prompt) {
  flow.expires_at = std::chrono::floor<std::chrono::seconds>(now() + kLife);
  flow.nonce = random_hex(kSecretBytes);
  flow.verifier = random_hex(kSecretBytes);
  BegunProviderSignIn begun;
  begun.cookie = seal_flow(flow, sealer_);
  begun.expires_at = flow.expires_at;
  ProviderRequest request;
  request.redirect = options_.redirect;
  request.state = state_of(begun.cookie);
  request.nonce = flow.nonce;
  request.challenge = challenge_of(flow.verifier);
  request.prompt = std::move(prompt);
  request.asks_again = flow.linking && flow.linking->confirms;
  CO_TRY(begun.address, co_await provider_.authorization_address(std::move(request)));
  co_return begun;
}

/// `rate_limited` after many failures from the client's address. Counts as one until the failures
/// are told of a success.
Task<Result<void>> ProviderSignIn::check_attempt(const SignInClient& client) {
  std::vector<catalog::SignInLimit> limits;
  limits.push_back(limit_of_address(subject_of(client)));
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(std::move(limits)));
  if (wait.time == std::chrono::seconds(0)) co_return Result<void>{};
  co_return std::unexpected(Error{ErrorCode::rate_limited,
                                  "There were too many failed sign-ins from this address: wait a "
                                  "moment.",
                                  wait.time});
}

Task<Result<void>> ProviderSignIn::note_failure(const Error& error, const SignInClient& client,
                                                std::string who) {
  if (is_of_provider(error)) {
    spdlog::warn("a sign-in at the provider failed: {}", error.message);
  }
  if (!is_noted(error)) co_return Result<void>{};
  catalog::Actor actor{"", client.address};
  co_return co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                          std::move(who), error.message);
}

Task<Result<BegunProviderSignIn>> ProviderSignIn::begin(std::string return_path, std::string prompt,
                                                        SignInClient client) {
  ProviderFlow flow;
  flow.return_path = safe_return_path(return_path);
  auto begun = co_await begin_flow(std::move(flow), std::move(prompt));
  if (!begun) {
    // Only what failed counts: what did not must not make the return wait.
    CO_TRY_VOID(co_await check_attempt(client));
    CO_TRY_VOID(co_await note_failure(begun.error(), client, std::string()));
  }
  co_return begun;
}

Task<Result<BegunProviderSignIn>> ProviderSignIn::begin_link(const Principal& principal,
                                                             std::string return_path) {
  ProviderFlow flow;
  flow.return_path = safe_return_path(return_path);
  flow.linking = LinkingSession{principal.account->id, principal.credential->hash};
  co_return co_await begin_flow(std::move(flow), std::string());
}

Task<Result<BegunProviderSignIn>> ProviderSignIn::begin_confirmation(const Principal& principal,
                                                                     std::string return_path) {
  ProviderFlow flow;
  flow.return_path = safe_return_path(return_path);
  flow.linking = LinkingSession{principal.account->id, principal.credential->hash, true};
  co_return co_await begin_flow(std::move(flow), "login");
}

/// Opens the flow of this browser and sees to it that it is not ended again. Nothing is stored for
/// a browser without a flow.
Task<Result<ProviderFlow>> ProviderSignIn::spend(std::string cookie,
                                                 const ProviderCallback& callback,
                                                 const SignInClient& client) {
  CO_TRY(auto flow, open_flow(cookie, sealer_));
  if (callback.state != state_of(cookie)) {
    co_return fail(ErrorCode::unauthenticated,
                   "The answer belongs to another sign-in than the last one in this browser: "
                   "begin it again.");
  }
  const auto turn = catalog::Turn::of(subject_of(client));
  const auto hash = hash_secret(callback.state);
  CO_TRY(const bool is_first, co_await catalog_.sign_in_flows().spend(turn, hash, flow.expires_at));
  if (!is_first) {
    co_return fail(ErrorCode::unauthenticated, "The sign-in was ended before: begin it again.");
  }
  co_return flow;
}

Task<Result<EndedProviderSignIn>> ProviderSignIn::end(std::string cookie, ProviderCallback callback,
                                                      SignInClient client) {
  CO_TRY_VOID(co_await check_attempt(client));
  const SignInClient asking = client;
  std::vector<std::string> eased = {subject_of(client)};
  Result<EndedProviderSignIn> ended = fail(ErrorCode::failed, "");
  std::string who;
  auto flow = co_await spend(std::move(cookie), callback, client);
  if (flow) {
    ended = co_await end_flow(*std::move(flow), std::move(callback), std::move(client), who);
  } else {
    ended = failure_of(std::move(flow));
  }
  // Only what may be a guess counts as a failure.
  if (ended || ended.error().code != ErrorCode::unauthenticated) {
    CO_TRY_VOID(co_await catalog_.sign_in_failures().succeeded({}, std::move(eased)));
  }
  if (!ended) {
    CO_TRY_VOID(co_await note_failure(ended.error(), asking, std::move(who)));
  }
  co_return ended;
}

Task<Result<EndedProviderSignIn>> ProviderSignIn::end_flow(ProviderFlow flow,
                                                           ProviderCallback callback,
                                                           SignInClient client, std::string& who) {
  if (callback.code.empty()) {
    co_return fail(ErrorCode::unauthenticated, "The provider did not sign you in.");
  }
  ProviderAnswer answer;
  answer.code = std::move(callback.code);
  answer.issuer = std::move(callback.issuer);
  answer.redirect = options_.redirect;
  answer.nonce = flow.nonce;
  answer.verifier = flow.verifier;
  CO_TRY(auto person, co_await provider_.exchange(std::move(answer)));
  who = cut_utf8(person.name.empty() ? person.identity.subject : person.name, kLongestNoted);
  if (flow.linking && flow.linking->confirms) {
    co_return co_await confirm(std::move(flow), std::move(person));
  }
  if (flow.linking) {
    CO_TRY_VOID(accounts_.check_is_allowed(person));
    co_return co_await link(std::move(flow), std::move(person), std::move(client));
  }
  CO_TRY(const auto account, co_await accounts_.of(person, client.address));
  EndedProviderSignIn ended;
  ended.return_path = std::move(flow.return_path);
  ended.proof = std::move(person.proof);
  catalog::SessionOrigin origin{catalog::SignInMethod::oidc, person.identity.issuer,
                                person.identity.subject, person.session.value_or("")};
  std::optional<catalog::UsedFactor> no_factor;
  CO_TRY(ended.session, co_await sign_in_.open_session(account, std::move(origin),
                                                       std::move(no_factor), std::move(client)));
  co_return ended;
}

/// Whoever found an open browser may have taken `prompt` and `max_age` out of the address, and the
/// provider's session may be open there too: so its time is looked at.
Task<Result<EndedProviderSignIn>> ProviderSignIn::confirm(ProviderFlow flow,
                                                          ProvidedPerson person) {
  constexpr auto kClocksDiffer = std::chrono::minutes(1);
  const Timestamp begun_at = flow.expires_at - kLife;
  if (!person.authenticated_at || *person.authenticated_at < begun_at - kClocksDiffer) {
    co_return fail(ErrorCode::forbidden,
                   "The provider did not ask you again who you are (auth_time).");
  }
  CO_TRY_VOID(co_await catalog_.web_sessions().confirm_provided(
      flow.linking->account, flow.linking->hash, std::move(person.identity)));
  EndedProviderSignIn ended;
  ended.return_path = std::move(flow.return_path);
  co_return ended;
}

Task<Result<EndedProviderSignIn>> ProviderSignIn::link(ProviderFlow flow, ProvidedPerson person,
                                                       SignInClient client) {
  catalog::Asker asker;
  asker.credential = {catalog::Credential::Kind::session, flow.linking->hash};
  asker.address = std::move(client.address);
  CO_TRY_VOID(co_await catalog_.identities().link(flow.linking->account, std::move(person.identity),
                                                  std::move(asker)));
  EndedProviderSignIn ended;
  ended.return_path = std::move(flow.return_path);
  co_return ended;
}

Task<Result<void>> ProviderSignIn::end_sessions(std::string logout_token) {
  CO_TRY(const auto logout, co_await provider_.read_logout_token(std::move(logout_token)));
  const auto turn = catalog::Turn::of("logout tokens");
  const auto hash = hash_secret(logout.issuer + " " + logout.id);
  CO_TRY(const bool is_first,
         co_await catalog_.logout_tokens().spend(turn, hash, logout.expires_at));
  if (!is_first) {
    co_return fail(ErrorCode::unauthenticated, "The logout token was used before (jti).");
  }
  const auto ended = co_await catalog_.web_sessions().end_provided(
      logout.issuer, logout.subject, logout.session, options_.logout_ends_keys);
  if (!ended) co_return failure_of(ended);
  co_return Result<void>{};
}

}  // namespace coffer::core
