#include "backends/oauth/code_exchange.h"

#include "backends/oauth/form_post.h"
#include "backends/oauth/token_answer.h"
#include "base/clock.h"

namespace coffer::oauth {

Result<std::string> exchange_code(const CodeExchange& exchange) {
  FormPost post;
  post.url = exchange.token_url;
  post.fields = {{"grant_type", "authorization_code"},
                 {"code", exchange.code},
                 {"redirect_uri", exchange.redirect},
                 {"client_id", exchange.client_id},
                 {"code_verifier", exchange.verifier}};
  // In the body, as all providers of the table take it; few take both ways.
  if (!exchange.client_secret.empty()) {
    post.fields.emplace_back("client_secret", exchange.client_secret);
  }
  post.may_connect = exchange.may_connect;
  post.ca_file = exchange.ca_file;
  post.deadlines = exchange.deadlines;
  const auto answer = send_form(post);
  if (!answer) return failure_of(answer);
  return token_in(*answer, exchange.token_type, now());
}

}  // namespace coffer::oauth
