#include "api/endpoint.h"
#include "api/model.h"

namespace coffer::api {
namespace {

struct CreateKeyParameters {
  FIELD(NonEmpty<KeyLabel>, name, "Label: 1 to 100 characters without control characters.",
        R"("backup")");
  FIELD(std::optional<Path>, folder,
        "Limits the key to this existing folder and what is below it. Empty or missing: the same "
        "reach as the calling key.",
        R"("documents")");
};

struct RevokeKeyParameters {
  FIELD(NonEmpty<std::string>, id, "The key's identifier, as the list of keys shows it.",
        R"("5f0c2a9d1b7e4c38")");
};

using Keys = ArrayOf<KeyView, catalog::Key, to_view>;

Task<Result<Keys>> list_keys(Services& services, core::Principal principal, NoParameters) {
  CO_TRY(auto keys, co_await services.keys.list(principal));
  co_return Keys{std::move(keys)};
}

Task<Result<CreatedKeyView>> create_key(Services& services, core::Principal principal,
                                        CreateKeyParameters parameters) {
  core::KeyRequest request;
  request.name = std::move(parameters.name.value.value);
  request.folder = parameters.folder.value_or(Path());
  CO_TRY(const auto created, co_await services.keys.create(principal, std::move(request)));
  co_return to_view(created);
}

Task<Result<MessageView>> revoke_key(Services& services, core::Principal principal,
                                     RevokeKeyParameters parameters) {
  CO_TRY_VOID(co_await services.keys.revoke(principal, parameters.id.value));
  co_return MessageView{"The key was revoked."};
}

}  // namespace

std::vector<Endpoint> key_endpoints() {
  using http::Method;
  return {
      json_endpoint(Endpoint(Method::get, "/api/v1/keys", "listKeys", "List the account's API keys",
                             "Without their secrets, by time of creation. A key that is limited to "
                             "a folder sees the keys limited to that folder or below it.",
                             {}),
                    &list_keys),
      json_endpoint(Endpoint(Method::post, "/api/v1/keys", "createKey", "Create an API key",
                             "The secret is in this answer and nowhere else. A key never reaches "
                             "further than the one that created it. A session must be confirmed "
                             "(POST /api/v2/session/confirm).",
                             {403, 404, 409, 502, 504, 507}),
                    &create_key),
      json_endpoint(
          Endpoint(Method::del, "/api/v1/keys/{id}", "revokeKey", "Revoke an API key",
                   "When the answer arrives, no request with that key is accepted any more.",
                   {403, 404, 507}),
          &revoke_key)};
}

}  // namespace coffer::api
