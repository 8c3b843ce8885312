#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"

namespace coffer::api {

struct CreateKeyParameters {
  NonEmpty<KeyLabel> name;
  std::optional<Path> folder;
};
BOOST_DESCRIBE_STRUCT(CreateKeyParameters, (), (name, folder))

struct RevokeKeyParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(RevokeKeyParameters, (), (id))

template <>
struct Docs<CreateKeyParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"name", "Label: 1 to 100 characters without control characters.", R"("backup")"},
      {"folder",
       "Limits the key to this existing folder and what is below it. Empty or missing: the same "
       "reach as the calling key.",
       R"("documents")"},
  }};
};

template <>
struct Docs<RevokeKeyParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The key's identifier, as the list of keys shows it.", R"("5f0c2a9d1b7e4c38")"},
  }};
};

namespace {

using Keys = ArrayOf<KeyView, catalog::Key, to_view>;

Task<Result<Keys>> list_keys(Services& services, core::Principal principal, NoParameters) {
  auto keys = co_await services.keys.list(principal);
  if (!keys) co_return failure_of(std::move(keys));
  co_return Keys{*std::move(keys)};
}

Task<Result<CreatedKeyView>> create_key(Services& services, core::Principal principal,
                                        CreateKeyParameters parameters) {
  core::KeyRequest request;
  request.name = std::move(parameters.name.value.value);
  request.folder = parameters.folder.value_or(Path());
  const auto created = co_await services.keys.create(principal, std::move(request));
  if (!created) co_return failure_of(created);
  co_return to_view(*created);
}

Task<Result<MessageView>> revoke_key(Services& services, core::Principal principal,
                                     RevokeKeyParameters parameters) {
  const auto revoked = co_await services.keys.revoke(principal, parameters.id.value);
  if (!revoked) co_return failure_of(revoked);
  co_return MessageView{"The key was revoked."};
}

Endpoint list_endpoint() {
  Endpoint list;
  list.method = http::Method::get;
  list.pattern = "/api/v1/keys";
  list.id = "listKeys";
  list.summary = "List the account's API keys";
  list.description =
      "Without their secrets, by time of creation. A key that is limited to a folder sees the keys "
      "limited to that folder or below it.";
  return json_endpoint(std::move(list), &list_keys);
}

Endpoint create_endpoint() {
  Endpoint create;
  create.method = http::Method::post;
  create.pattern = "/api/v1/keys";
  create.id = "createKey";
  create.summary = "Create an API key";
  create.description =
      "The secret is in this answer and nowhere else. A key never reaches further than the one "
      "that "
      "created it.";
  create.errors = {403, 404, 429, 502, 504, 507};
  return json_endpoint(std::move(create), &create_key);
}

Endpoint revoke_endpoint() {
  Endpoint revoke;
  revoke.method = http::Method::del;
  revoke.pattern = "/api/v1/keys/{id}";
  revoke.id = "revokeKey";
  revoke.summary = "Revoke an API key";
  revoke.description = "When the answer arrives, no request with that key is accepted any more.";
  revoke.errors = {403, 404, 507};
  return json_endpoint(std::move(revoke), &revoke_key);
}

}  // namespace

std::vector<Endpoint> key_endpoints() {
  return {list_endpoint(), create_endpoint(), revoke_endpoint()};
}

}  // namespace coffer::api
