#include <array>
#include <utility>

#include "api/model.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

/// What a key may do with the files that it reaches.
enum class KeyAccess : std::uint8_t { full, read };

std::string_view to_string(KeyAccess access) {
  return access == KeyAccess::full ? "full" : "read";
}

struct KeyDetails {
  std::string id;
  std::string preview;
  std::string name;
  std::optional<std::string> folder;
  KeyAccess access = KeyAccess::full;
  Timestamp createdAt;
  std::optional<Timestamp> expiresAt;
  std::optional<Timestamp> lastUsedAt;
  std::vector<std::string> makers;
};
BOOST_DESCRIBE_STRUCT(KeyDetails, (),
                      (id, preview, name, folder, access, createdAt, expiresAt, lastUsedAt, makers))

struct NewKeyDetails {
  KeyDetails key;
  std::string secret;
};
BOOST_DESCRIBE_STRUCT(NewKeyDetails, (), (key, secret))

struct WantedKey {
  NonEmpty<KeyLabel> name;
  std::optional<Path> folder;
  KeyAccess access = KeyAccess::full;
  std::optional<Timestamp> expiresAt;
};
BOOST_DESCRIBE_STRUCT(WantedKey, (), (name, folder, access, expiresAt))

struct KeyParameters {
  NonEmpty<std::string> id;
  std::optional<catalog::Made> made;
};
BOOST_DESCRIBE_STRUCT(KeyParameters, (), (id, made))

}  // namespace v2

template <>
struct Words<v2::KeyAccess> {
  static constexpr std::array all{v2::KeyAccess::full, v2::KeyAccess::read};
};

template <>
struct Words<catalog::Made> {
  static constexpr std::array all{catalog::Made::stays, catalog::Made::ends};
};

template <>
struct Docs<v2::KeyDetails> {
  static constexpr std::string_view name = "ApiKey";
  static constexpr std::array<FieldDoc, 9> fields{{
      {"id", "Identifier, used to revoke it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"preview", "The first characters of the secret.", R"("3f9a1c2e…")"},
      {"name", "Label.", R"("backup")"},
      {"folder", "The folder that it is limited to; null for none.", R"("documents")"},
      {"access", "full, or read: then every write is refused.", R"("full")"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"expiresAt", "From when it opens nothing any more, UTC; null for never.", "null"},
      {"lastUsedAt", "UTC, up to a minute late; null before the first use.", "null"},
      {"makers",
       "The id of the key that it was made with, of the one that this was made with, and so on, "
       "also of those that are revoked; empty where a person made it. At most 32: from there on "
       "keys count as made with the 32nd of their chain.",
       "[]"},
  }};
};

template <>
struct Docs<v2::NewKeyDetails> {
  static constexpr std::string_view name = "CreatedApiKey";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"key", "The key.",
       R"({"id":"5f0c2a9d1b7e4c38","preview":"3f9a1c2e…","name":"backup","folder":null,"access":"full","createdAt":"2026-11-21T06:14:09","expiresAt":null,"lastUsedAt":null,"makers":[]})"},
      {"secret", "To be sent as X-API-Key. It is in this answer and nowhere else.",
       R"("00000000-0000-4000-8000-000000000000")"},
  }};
};

template <>
struct Docs<v2::WantedKey> {
  static constexpr std::array<FieldDoc, 4> fields{{
      {"name", "Label: 1 to 100 characters without control characters.", R"("backup")"},
      {"folder", "Limits the key to this existing folder and what is below it.", R"("documents")"},
      {"access", "full, or read: then every write is refused, in /api/v1 too.", R"("full")"},
      {"expiresAt",
       "A time in the future from when it opens nothing any more, UTC: at the latest when the key "
       "ends that makes it.",
       R"("2027-01-31T00:00:00")"},
  }};
};

template <>
struct Docs<v2::KeyParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"id", "The key's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"made",
       "What becomes of the keys and links that were made with it, and with those: stays, the "
       "default, or ends, also where the key itself, or one in between, is revoked already. "
       "The 33rd of a chain and later ones end nothing else: the 32nd does.",
       R"("ends")"},
  }};
};

namespace v2 {
namespace {

KeyDetails details_of(const catalog::Key& key) {
  KeyDetails details;
  details.id = key.id.value;
  details.preview = key.preview;
  details.name = key.name;
  if (key.folder) details.folder = key.folder->str();
  details.access = key.read_only ? KeyAccess::read : KeyAccess::full;
  details.createdAt = key.created_at;
  details.expiresAt = key.expires_at;
  details.lastUsedAt = key.last_used_at;
  details.makers = ids_of(key.makers);
  return details;
}

Task<Result<Answer<std::vector<KeyDetails>>>> list_all_keys(Call call, NoParameters, NoBody) {
  const auto found = co_await call.services.keys.list(call.principal());
  if (!found) co_return failure_of(found);
  std::vector<KeyDetails> keys;
  for (const catalog::Key& key : *found) keys.push_back(details_of(key));
  co_return Answer<std::vector<KeyDetails>>{std::move(keys)};
}

Task<Result<Answer<NewKeyDetails>>> make_key(Call call, NoParameters, WantedKey body) {
  core::KeyRequest request;
  request.name = std::move(body.name.value.value);
  request.folder = body.folder.value_or(Path());
  request.read_only = body.access == KeyAccess::read;
  request.expires_at = body.expiresAt;
  const auto made = co_await call.services.keys.create(call.principal(), std::move(request));
  if (!made) co_return failure_of(made);
  NewKeyDetails details{details_of(made->key), made->secret};
  std::string location = "/api/v2/keys/" + details.key.id;
  co_return Answer<NewKeyDetails>{std::move(details), {{"Location", std::move(location)}}};
}

Task<Result<Answer<Nothing>>> end_key(Call call, KeyParameters parameters, NoBody) {
  const auto made = parameters.made.value_or(catalog::Made::stays);
  auto revoked = co_await call.services.keys.revoke(call.principal(), parameters.id.value, made);
  if (!revoked) co_return failure_of(std::move(revoked));
  if (made == catalog::Made::ends) co_await call.services.uploads.sweep_ended_links();
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> key_routes() {
  using http::Method;
  Route list{Method::get, "/api/v2/keys", "listKeys", "List the account's API keys",
             "Without their secrets, by time of creation."};
  Route make{Method::post, "/api/v2/keys", "createKey", "Create an API key",
             "The secret is in this answer and nowhere else."};
  make.success = 201;
  make.errors = {404, 409, 429, 502, 504, 507};
  Route revoke{Method::del, "/api/v2/keys/{id}", "revokeKey", "Revoke an API key",
               "When the answer arrives, no request with that key is accepted any more, nor with "
               "what was made with it, if that is to end too."};
  revoke.success = 204;
  revoke.errors = {404, 507};
  return {json_route(list, &list_all_keys), json_route(make, &make_key),
          json_route(revoke, &end_key)};
}

}  // namespace v2
}  // namespace coffer::api
