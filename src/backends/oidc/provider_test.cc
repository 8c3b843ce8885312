#include "backends/oidc/provider.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>
#include <memory>

#include "base/encoding.h"

namespace coffer::oidc {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

const std::string kIssuer = "https://id.example.org";

/// A key of a provider, which signs.
class SigningKey {
 public:
  explicit SigningKey(std::string id)
      : id_(std::move(id)), key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), &EVP_PKEY_free) {}

  json::object jwk() const {
    std::array<unsigned char, 32> x{};
    std::size_t size = x.size();
    EXPECT_EQ(EVP_PKEY_get_raw_public_key(key_.get(), x.data(), &size), 1);
    return {{"kty", "OKP"}, {"crv", "Ed25519"}, {"kid", id_}, {"x", encoded(x)}};
  }
  std::string sign(const json::object& claims) const {
    const json::object head = {{"alg", "EdDSA"}, {"kid", id_}};
    const std::string text =
        to_base64url(json::serialize(head)) + "." + to_base64url(json::serialize(claims));
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    std::array<unsigned char, 64> signature{};
    std::size_t size = signature.size();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    EXPECT_EQ(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()), 1);
    EXPECT_EQ(EVP_DigestSign(context.get(), signature.data(), &size, bytes, text.size()), 1);
    return text + "." + encoded(signature);
  }

 private:
  template <std::size_t kSize>
  static std::string encoded(const std::array<unsigned char, kSize>& bytes) {
    return to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  std::string id_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

/// A provider without a network.
struct Scene {
  Scene() {
    options.issuer = kIssuer;
    options.client_id = "coffer";
    options.client_secret = "s e&cret";
    options.claims.groups = "groups";
    metadata = {{"issuer", kIssuer},
                {"authorization_endpoint", kIssuer + "/auth?tenant=1"},
                {"token_endpoint", kIssuer + "/token"},
                {"jwks_uri", kIssuer + "/keys"},
                {"userinfo_endpoint", kIssuer + "/me"},
                {"end_session_endpoint", kIssuer + "/end"}};
    const std::int64_t present_s = now().time_since_epoch() / 1s;
    claims = {{"iss", kIssuer},     {"aud", "coffer"},     {"sub", "s-1"},
              {"nonce", "n-1"},     {"iat", present_s},    {"exp", present_s + 60},
              {"sid", "session-1"}, {"groups", {"staff"}}, {"preferred_username", "ann"}};
    answers[kIssuer + "/me"] = {200, R"({"sub":"s-1","groups":["admins"]})"};
  }

  Result<curl::Answer> send(const curl::Request& request) {
    requests.push_back(request);
    if (is_down) return fail(ErrorCode::unavailable, "It is down.");
    if (const auto found = answers.find(request.url); found != answers.end()) return found->second;
    if (request.url == kIssuer + "/.well-known/openid-configuration") {
      return curl::Answer{200, json::serialize(metadata)};
    }
    if (request.url == kIssuer + "/keys") {
      return curl::Answer{200, json::serialize(json::object{{"keys", {key.jwk()}}})};
    }
    const json::object tokens = {{"access_token", "at"}, {"id_token", key.sign(claims)}};
    return curl::Answer{200, json::serialize(tokens)};
  }

  Provider& provider() {
    if (!made) {
      made = std::make_unique<Provider>(
          options, [this](const curl::Request& request) { return send(request); },
          [this] { return time; });
    }
    return *made;
  }
  Result<SignedInPerson> exchange() {
    return provider().exchange({"code-1", issuer, "https://files.example.org/back", "n-1", "v-1"});
  }
  /// The reason for which a sign-in is refused; empty if it is not.
  std::string refusal(ErrorCode code = ErrorCode::unauthenticated) {
    const auto person = exchange();
    if (person) return {};
    EXPECT_EQ(person.error().code, code) << person.error().message;
    return person.error().message;
  }
  std::ptrdiff_t count(const std::string& path) const {
    return std::ranges::count(requests, kIssuer + path, &curl::Request::url);
  }
  const curl::Request& request_to(const std::string& path) const {
    return *std::ranges::find(requests, kIssuer + path, &curl::Request::url);
  }

  ProviderOptions options;
  json::object metadata;
  json::object claims;
  SigningKey key{"k-1"};
  std::map<std::string, curl::Answer> answers;
  std::optional<std::string> issuer;
  bool is_down = false;
  std::chrono::steady_clock::time_point time{1h};
  std::vector<curl::Request> requests;
  std::unique_ptr<Provider> made;
};

TEST(Provider, SendsTheBrowserToSignIn) {
  Scene scene;
  const auto address =
      scene.provider().authorization_address({"https://files.example.org/back", "s", "n", "c"});
  ASSERT_TRUE(address);
  EXPECT_EQ(*address,
            kIssuer +
                "/auth?tenant=1&response_type=code&client_id=coffer&redirect_uri=https%3A%2F%2F"
                "files.example.org%2Fback&scope=openid%20profile&state=s&nonce=n&code_challenge=c&"
                "code_challenge_method=S256");
  EXPECT_TRUE(scene.provider()
                  .authorization_address({"https://files.example.org/back", "s", "n", "c", "none"})
                  .value()
                  .ends_with("&prompt=none"));
  EXPECT_EQ(scene.requests.size(), 1U);
  EXPECT_EQ(scene.requests[0].limit_bytes, 1024U * 1024);
  EXPECT_EQ(scene.requests[0].deadlines.reply, 10s);
}

TEST(Provider, GivesThePersonForTheCode) {
  Scene scene;
  const auto person = scene.exchange();
  ASSERT_TRUE(person) << person.error().message;
  EXPECT_EQ(person->issuer, kIssuer);
  EXPECT_EQ(person->subject, "s-1");
  EXPECT_EQ(person->session, "session-1");
  EXPECT_EQ(person->person.name, "ann");
  EXPECT_EQ(person->person.groups, std::vector<std::string>{"staff"});
  EXPECT_EQ(scene.count("/me"), 0);
  const auto& request = scene.request_to("/token");
  EXPECT_EQ(to_form(*request.form),
            "grant_type=authorization_code&code=code-1&redirect_uri=https%3A%2F%2F"
            "files.example.org%2Fback&code_verifier=v-1");
  EXPECT_EQ(request.headers,
            std::vector<std::string>{"Authorization: Basic " + to_base64("coffer:s%20e%26cret")});
}

TEST(Provider, AsksUserinfoForWhatIsMissing) {
  Scene scene;
  scene.claims.erase("groups");
  const auto person = scene.exchange();
  ASSERT_TRUE(person) << person.error().message;
  EXPECT_EQ(person->person.groups, std::vector<std::string>{"admins"});
  EXPECT_EQ(scene.request_to("/me").headers, std::vector<std::string>{"Authorization: Bearer at"});
  EXPECT_FALSE(scene.request_to("/me").form);
  scene.answers[kIssuer + "/me"].body = R"({"sub":"s-2","groups":["admins"]})";
  EXPECT_EQ(scene.refusal(), "The provider's userinfo is of another person (sub).");
  scene.answers[kIssuer + "/me"].body = R"({"groups":["admins"]})";
  EXPECT_NE(scene.refusal(), "");
  scene.answers[kIssuer + "/me"] = {500, ""};
  EXPECT_NE(scene.refusal(ErrorCode::unavailable), "");
}

TEST(Provider, IsAskedInTheWayThatItTakes) {
  const auto form_for = [](json::value ways, const std::string& secret) {
    Scene scene;
    scene.options.client_secret = secret;
    scene.metadata["token_endpoint_auth_methods_supported"] = std::move(ways);
    const auto person = scene.exchange();
    if (!person) return person.error().message;
    const auto& request = scene.request_to("/token");
    const std::string form = to_form(*request.form);
    return request.headers.empty() ? form.substr(form.find("&client_id")) : std::string("basic");
  };
  EXPECT_EQ(form_for({"client_secret_post", "client_secret_basic"}, "x"), "basic");
  EXPECT_EQ(form_for({"client_secret_post"}, "x"), "&client_id=coffer&client_secret=x");
  EXPECT_EQ(form_for({"none"}, ""), "&client_id=coffer");
  EXPECT_EQ(form_for({"client_secret_basic"}, ""), "&client_id=coffer");
  EXPECT_TRUE(form_for({"private_key_jwt"}, "x").starts_with("The provider takes clients neither"));
}

TEST(Provider, IsTheOneThatWasAsked) {
  Scene scene;
  scene.issuer = "https://evil.example.org";
  EXPECT_EQ(scene.refusal(), "The answer comes from another provider (iss).");
  scene.issuer = kIssuer;
  EXPECT_EQ(scene.refusal(), "");
  Scene naming;
  naming.metadata["authorization_response_iss_parameter_supported"] = true;
  EXPECT_NE(naming.refusal(), "");
  EXPECT_EQ(naming.count("/token"), 0);  // The code is not shown to it.
}

TEST(Provider, MayGetOtherKeysAtAnyTime) {
  Scene scene;
  EXPECT_EQ(scene.refusal(), "");
  scene.key = SigningKey("k-2");
  EXPECT_EQ(scene.refusal(), "");
  EXPECT_EQ(scene.count("/keys"), 2);
  scene.key = SigningKey("k-2");  // Another one by the same name.
  EXPECT_EQ(scene.refusal(), "The signature of the provider's token is wrong.");
  EXPECT_EQ(scene.count("/keys"), 2);
  scene.time += 30s;
  EXPECT_EQ(scene.refusal(), "");
  EXPECT_EQ(scene.count("/keys"), 3);
}

TEST(Provider, RefusesTokensOfOthersHoweverOften) {
  Scene scene;
  const SigningKey other("k-9");
  scene.answers[kIssuer + "/token"] = {
      200, json::serialize(json::object{{"id_token", other.sign(scene.claims)}})};
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(scene.refusal(),
              "The provider's token is signed by a key that is not the provider's.");
  }
  EXPECT_EQ(scene.count("/keys"), 2);
}

TEST(Provider, ServesOldDocumentsWhileItIsDown) {
  Scene scene;
  scene.is_down = true;
  EXPECT_EQ(scene.refusal(ErrorCode::unavailable), "It is down.");
  scene.is_down = false;
  scene.time += 5s;
  EXPECT_EQ(scene.refusal(), "");
  scene.time += 48h;
  scene.answers[kIssuer + "/keys"] = {500, ""};
  scene.answers[kIssuer + "/.well-known/openid-configuration"] = {302, ""};
  EXPECT_EQ(scene.refusal(), "");
}

TEST(Provider, RefusesAnswersThatAreNone) {
  struct Case {
    long status;
    const char* body;
    ErrorCode code;
  };
  for (const Case& each :
       {Case{500, "{}", ErrorCode::unavailable}, Case{302, "{}", ErrorCode::unavailable},
        Case{200, "<html>", ErrorCode::unavailable}, Case{200, "{}", ErrorCode::unauthenticated},
        Case{200, R"({"access_token":"x"})", ErrorCode::unauthenticated},
        Case{200, R"({"id_token":7})", ErrorCode::unauthenticated},
        Case{200, R"({"id_token":"a.b.c"})", ErrorCode::unauthenticated},
        Case{400, R"({"error":"invalid_grant"})", ErrorCode::unauthenticated},
        Case{401, R"({"error":"invalid_client"})", ErrorCode::unavailable},
        Case{400, R"({"error":"hunter2"})", ErrorCode::unauthenticated}}) {
    Scene scene;
    scene.answers[kIssuer + "/token"] = {each.status, each.body};
    const std::string message = scene.refusal(each.code);
    EXPECT_NE(message, "") << each.body;
    EXPECT_EQ(message.find("hunter2"), std::string::npos);
  }
  Scene scene;
  scene.answers[kIssuer + "/keys"] = {200, "<html>"};
  EXPECT_NE(scene.refusal(ErrorCode::unavailable), "");
}

TEST(Provider, SaysWhoSignedOut) {
  Scene scene;
  scene.claims.erase("nonce");
  scene.claims["jti"] = "j-1";
  scene.claims["events"] =
      json::object{{"http://schemas.openid.net/event/backchannel-logout", json::object()}};
  const auto token = scene.provider().read_logout_token(scene.key.sign(scene.claims));
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(token->session, "session-1");
  EXPECT_FALSE(scene.provider().read_logout_token(SigningKey("k-1").sign(scene.claims)));
  EXPECT_FALSE(scene.provider().read_logout_token("eyJhbGciOiJub25lIn0.e30."));
}

TEST(Provider, SendsTheBrowserToSignOut) {
  Scene scene;
  EXPECT_EQ(
      scene.provider().logout_address("https://files.example.org/", "").value(),
      kIssuer +
          "/end?client_id=coffer&post_logout_redirect_uri=https%3A%2F%2Ffiles.example.org%2F");
  EXPECT_TRUE(scene.provider()
                  .logout_address("https://files.example.org/", "a.b.c")
                  .value()
                  .ends_with("&id_token_hint=a.b.c"));
  Scene without;
  without.metadata.erase("end_session_endpoint");
  EXPECT_EQ(without.provider().logout_address("https://files.example.org/", "a.b.c").value(), "");
}

}  // namespace
}  // namespace coffer::oidc
