#include "backends/oauth/code_exchange.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "backends/curl/request.h"
#include "base/clock.h"

namespace coffer::oauth {
namespace {

namespace json = boost::json;

constexpr std::int64_t kLongestLifeS = 10LL * 366 * 24 * 3600;

std::string text_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

/// The seconds that a token lives; 0 where it does not end. Some providers write digits in a text.
std::int64_t life_of(const json::object& object) {
  const json::value* const found = object.if_contains("expires_in");
  if (found == nullptr) return 0;
  std::int64_t seconds = 0;
  if (found->is_string()) {
    const json::string& text = found->get_string();
    std::from_chars(text.data(), text.data() + text.size(), seconds);
  } else if (found->is_number()) {
    boost::system::error_code inexact;
    seconds = found->to_number<std::int64_t>(inexact);
    if (inexact) seconds = 0;
  }
  return std::clamp<std::int64_t>(seconds, 0, kLongestLifeS);
}

std::unexpected<Error> refusal(std::string_view word) {
  if (word == "invalid_grant" || word == "invalid_code" || word == "bad_verification_code") {
    return fail(ErrorCode::invalid,
                "The provider refuses the code: one is good once and for some minutes. Sign in at "
                "the provider again.");
  }
  if (word == "invalid_client" || word == "unauthorized_client" ||
      word == "invalid_client_secret") {
    return fail(ErrorCode::invalid,
                "The provider refuses the client: look at client_id and client_secret.");
  }
  if (word == "redirect_uri_mismatch" || word == "invalid_redirect_uri") {
    return fail(ErrorCode::invalid,
                "The provider refuses the redirect address: register it there for the client.");
  }
  return fail(ErrorCode::invalid,
              "The provider refuses the login: look at the client's settings there, and sign in "
              "again.");
}

std::unexpected<Error> no_token() {
  return fail(ErrorCode::unavailable,
              "The provider's token address answers with something that is no token: look at "
              "token_url.");
}

}  // namespace

Result<std::string> token_in(const curl::Answer& answer, std::string_view token_type,
                             Timestamp at) {
  if (answer.status >= 500) {
    return fail(ErrorCode::unavailable, "The provider fails to give a token: try again later.");
  }
  boost::system::error_code broken;
  const json::value parsed = json::parse(answer.body, broken);
  if (broken || !parsed.is_object() || (answer.status >= 300 && answer.status < 400)) {
    return no_token();
  }
  const json::object& told = parsed.get_object();
  if (const auto* error = told.if_contains("error"); error && !error->is_null())
    return refusal(text_in(told, "error"));
  std::string access = text_in(told, "access_token");
  if (access.empty() || answer.status >= 400) return no_token();
  std::string type(token_type);
  if (type.empty()) type = text_in(told, "token_type");
  json::object token = {{"access_token", std::move(access)},
                        {"token_type", type.empty() ? "Bearer" : type}};
  const std::string refresh = text_in(told, "refresh_token");
  const std::int64_t life_s = life_of(told);
  if (life_s > 0 && refresh.empty()) {
    return fail(ErrorCode::refused,
                "The provider gives a token that ends soon and cannot be renewed: let the client "
                "have refresh tokens there.");
  }
  if (!refresh.empty()) token["refresh_token"] = refresh;
  if (life_s > 0) token["expiry"] = format_timestamp(at + std::chrono::seconds(life_s)) + "Z";
  return json::serialize(token);
}

Result<std::string> exchange_code(const CodeExchange& exchange) {
  curl::Request post;
  post.url = exchange.token_url;
  post.server = "the provider's token address";
  post.form = {{"grant_type", "authorization_code"},
               {"code", exchange.code},
               {"redirect_uri", exchange.redirect},
               {"client_id", exchange.client_id},
               {"code_verifier", exchange.verifier}};
  // In the body, as all providers of the table take it; few take both ways.
  if (!exchange.client_secret.empty()) {
    post.form->emplace_back("client_secret", exchange.client_secret);
  }
  post.may_connect = exchange.may_connect;
  post.ca_file = exchange.ca_file;
  post.deadlines = exchange.deadlines;
  TRY(const auto answer, curl::send(post));
  return token_in(answer, exchange.token_type, now());
}

}  // namespace coffer::oauth
