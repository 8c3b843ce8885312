#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/v2/proxy_words.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "core/identity/directory_sign_in.h"
#include "core/identity/provider_sign_in.h"

namespace coffer::api::v2 {
namespace {

struct SignInQuestion {
  FIELD(
      std::optional<AnyObject>, claims,
      "Claims of an ID token of the provider, with sub, to see what a sign-in with them would do.",
      R"({"sub":"248289761001","preferred_username":"ann","groups":["staff"]})");
  FIELD(std::optional<TypedName>, directoryName,
        "A name to look for in the directory, to see what a sign-in with it would do.", R"("ann")");
};

struct StepView {
  static constexpr std::string_view kSchema = "SignInTestStep";
  FIELD(std::uint64_t, milliseconds, "How long it took.", "12");
  FIELD(std::optional<std::string>, problem, "Why it failed; null if it works.", "null");
};

struct ProviderTestView {
  static constexpr std::string_view kSchema = "ProviderTest";
  FIELD(StepView, metadata, "The request for the provider's metadata (discovery).",
        R"({"milliseconds":12,"problem":null})");
  FIELD(std::optional<StepView>, keys,
        "The request for the provider's keys; null if there is no metadata.",
        R"({"milliseconds":9,"problem":null})");
  FIELD(std::uint64_t, usableKeys, "The number of keys that signatures are checked by.", "2");
  FIELD(std::vector<std::string>, algorithms, "The algorithms of signatures that they are for.",
        R"(["RS256","PS256"])");
};

struct DirectoryTestView {
  static constexpr std::string_view kSchema = "DirectoryTest";
  FIELD(StepView, bind, "The connection, and the sign-in of the server's own entry.",
        R"({"milliseconds":12,"problem":null})");
  FIELD(std::optional<StepView>, base,
        "The search for the entry of ldap_base; null if the server is not signed in.",
        R"({"milliseconds":3,"problem":null})");
  FIELD(std::optional<StepView>, search,
        "The search for directoryName; null if none is given, or a step before failed.", "null");
  FIELD(std::optional<bool>, found, "True if the directory knows directoryName; null as search.",
        "null");
};

struct ProxyTestView {
  static constexpr std::string_view kSchema = "ProxyTest";
  FIELD(bool, trusted, "True if this request came through a proxy of trusted_proxies.", "true");
  FIELD(std::optional<std::string>, userName,
        "The person whom the proxy names with this request; null if it names nobody.",
        R"("ann@example.org")");
  FIELD(std::optional<std::string>, problem, "Why what the proxy says does not count.", "null");
};

struct OutcomeView {
  static constexpr std::string_view kSchema = "SignInOutcome";
  FIELD(std::optional<std::string>, refusal,
        "Why the person would not be signed in; null if they would.", "null");
  FIELD(bool, isNew, "True if the account would be made.", "true");
  FIELD(std::optional<std::string>, userName,
        "The account that the person would have; null if there is none and none would be made.",
        R"("ann")");
  FIELD(std::optional<std::string>, displayName, "Its name for people; null as above.", R"("Ann")");
  FIELD(std::optional<catalog::Role>, role, "Its role; null as above.", R"("user")");
  FIELD(std::optional<std::uint64_t>, storageLimit,
        "Its quota in bytes; 0 means unlimited; null as above.", "10737418240");
  FIELD(std::optional<std::vector<std::string>>, groups,
        "The groups here that it would be in because of the person's; null if nothing is said of "
        "groups, so that they stay.",
        R"(["staff"])");
  FIELD(std::optional<std::string>, namesake,
        "An account with the person's name that is not the person's; null if there is none.",
        "null");
};

struct SignInTestView {
  static constexpr std::string_view kSchema = "SignInTest";
  FIELD(std::optional<ProviderTestView>, provider, "What the provider answers; null without one.",
        "null");
  FIELD(std::optional<DirectoryTestView>, directory,
        "What the directory answers; null without one.", "null");
  FIELD(std::optional<ProxyTestView>, proxy,
        "What a proxy says of this request; null if none signs people in.", "null");
  FIELD(std::optional<OutcomeView>, outcome,
        "What a sign-in of the person that is asked for would do; null if none is, or there is no "
        "such person.",
        "null");
};

StepView view_of(const core::ProbeStep& step) {
  StepView view{static_cast<std::uint64_t>(step.took.count())};
  if (step.error) view.problem = step.error->message;
  return view;
}

std::optional<StepView> view_of(const std::optional<core::ProbeStep>& step) {
  if (!step) return std::nullopt;
  return view_of(*step);
}

OutcomeView view_of(core::ForeseenSignIn foreseen) {
  OutcomeView view;
  view.refusal = std::move(foreseen.refusal);
  view.isNew = foreseen.is_new;
  view.groups = std::move(foreseen.groups);
  view.namesake = std::move(foreseen.namesake);
  if (!foreseen.account) return view;
  view.userName = std::move(foreseen.account->name);
  view.displayName = std::move(foreseen.account->display_name);
  view.role = foreseen.account->role;
  view.storageLimit = foreseen.account->quota_bytes;
  return view;
}

Result<void> check_question(const Services& services, const SignInQuestion& question) {
  if (question.claims && question.directoryName) {
    return fail(ErrorCode::invalid, "Ask either for claims or for a directoryName.");
  }
  if (question.claims && services.provider_sign_in == nullptr) {
    return fail(ErrorCode::invalid, "There is no provider that claims could come from.");
  }
  if (question.directoryName && services.directory_sign_in == nullptr) {
    return fail(ErrorCode::invalid, "There is no directory that could know the name.");
  }
  return {};
}

Task<Result<void>> test_provider(const Call& call, const SignInQuestion& question,
                                 SignInTestView& view) {
  auto* const provider = call.services.provider_sign_in;
  if (provider == nullptr) co_return Result<void>{};
  if (question.claims) {
    CO_TRY(auto foreseen, co_await provider->foresee(question.claims->value));
    view.outcome = view_of(std::move(foreseen));
  }
  CO_TRY(auto probe, co_await provider->probe());
  view.provider.emplace();
  view.provider->metadata = view_of(probe.metadata);
  view.provider->keys = view_of(probe.keys);
  view.provider->usableKeys = probe.usable_keys;
  view.provider->algorithms = std::move(probe.algorithms);
  co_return Result<void>{};
}

Task<Result<void>> test_directory(const Call& call, const SignInQuestion& question,
                                  SignInTestView& view) {
  auto* const directory = call.services.directory_sign_in;
  if (directory == nullptr) co_return Result<void>{};
  std::optional<std::string> name;
  if (question.directoryName) name = question.directoryName->value;
  CO_TRY(const auto probe, co_await directory->probe(name));
  view.directory.emplace();
  view.directory->bind = view_of(probe.bind);
  view.directory->base = view_of(probe.base);
  view.directory->search = view_of(probe.search);
  if (probe.search && !probe.search->error) view.directory->found = probe.person.has_value();
  if (!probe.person) co_return Result<void>{};
  CO_TRY(auto foreseen,
         co_await directory->foresee(*name, *probe.person, call.services.sign_in_rules));
  view.outcome = view_of(std::move(foreseen));
  co_return Result<void>{};
}

void test_proxy(const Call& call, SignInTestView& view) {
  if (call.services.proxy_sign_in == nullptr) return;
  view.proxy.emplace();
  view.proxy->trusted = call.request.is_by_proxy;
  const auto words = proxy_words_in(call);
  Result<void> readable;
  if (!words) readable = failure_of(words);
  if (words && *words) {
    const auto person = core::person_of(**words);
    if (person) view.proxy->userName = person->identity.subject;
    if (!person) readable = failure_of(person);
  }
  if (!readable) view.proxy->problem = readable.error().message;
}

/// One of the few tests that may be under way: they wait for others, in the place of sign-ins.
class TestUnderWay {
 public:
  TestUnderWay() : is_among_few_(++count_ <= kMost) {}
  ~TestUnderWay() { --count_; }
  TestUnderWay(const TestUnderWay&) = delete;
  TestUnderWay& operator=(const TestUnderWay&) = delete;

  Result<void> check() const {
    if (is_among_few_) return {};
    return fail(ErrorCode::rate_limited, "Another test is under way: try again when it has ended.");
  }

 private:
  static constexpr int kMost = 2;
  static inline std::atomic<int> count_ = 0;
  const bool is_among_few_;
};

Task<Result<Answer<SignInTestView>>> test_sign_in(Call call, NoParameters, SignInQuestion body) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY_VOID(check_question(call.services, body));
  const TestUnderWay test;
  CO_TRY_VOID(test.check());
  SignInTestView view;
  CO_TRY_VOID(co_await test_provider(call, body, view));
  CO_TRY_VOID(co_await test_directory(call, body, view));
  test_proxy(call, view);
  co_return Answer<SignInTestView>{std::move(view)};
}

}  // namespace

std::vector<Route> admin_sign_in_routes() {
  return {json_route(
      Route(http::Method::post, "/api/v2/admin/sign-in/test", "testSignIn",
            "Test the provider, the directory and the proxy that people sign in by",
            "Asks each anew, for some seconds at most, and tells what a sign-in of a person would "
            "do. "
            "Changes nothing, makes no account, and tells no secrets. A session must be confirmed "
            "(confirmSession).",
            CallerRule::administrator),
      &test_sign_in)};
}

}  // namespace coffer::api::v2
