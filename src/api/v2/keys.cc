#include <array>
#include <utility>

#include "api/model.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {
namespace {

/// What a key may do with the files that it reaches.
enum class KeyAccess : std::uint8_t { full, read };

constexpr auto words_of(KeyAccess) {
  return enum_words<KeyAccess>({{KeyAccess::full, "full"}, {KeyAccess::read, "read"}});
}

struct KeyDetails {
  static constexpr std::string_view kSchema = "ApiKey";
  FIELD(std::string, id, "Identifier, used to revoke it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, preview, "The first characters of the secret.", R"("3f9a1c2e…")");
  FIELD(std::string, name, "Label.", R"("backup")");
  FIELD(std::optional<std::string>, folder, "The folder that the key is limited to; null for none.",
        R"("documents")");
  FIELD(KeyAccess, access, "full, or read: every write is refused.", R"("full")");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<Timestamp>, expiresAt, "The end of its validity, UTC; null for none.",
        "null");
  FIELD(std::optional<Timestamp>, lastUsedAt,
        "UTC, up to a minute late; null before the first use.", "null");
  FIELD(std::vector<std::string>, makers,
        "The ids of the key that created it, of the key that created that one, and so on, "
        "including revoked keys; empty if it was created in a session. At most 32: later keys of a "
        "chain count as created by its 32nd.",
        "[]");
};

struct NewKeyDetails {
  static constexpr std::string_view kSchema = "CreatedApiKey";
  FIELD(
      KeyDetails, key, "The key.",
      R"({"id":"5f0c2a9d1b7e4c38","preview":"3f9a1c2e…","name":"backup","folder":null,"access":"full","createdAt":"2026-11-21T06:14:09","expiresAt":null,"lastUsedAt":null,"makers":[]})");
  FIELD(std::string, secret, "Send it as X-API-Key. No other answer shows it.",
        R"("00000000-0000-4000-8000-000000000000")");
};

struct WantedKey {
  FIELD(NonEmpty<KeyLabel>, name, "Label: 1 to 100 characters without control characters.",
        R"("backup")");
  FIELD(std::optional<Path>, folder, "Limits the key to this existing folder and what is below it.",
        R"("documents")");
  FIELD(KeyAccess, access, "full, or read: every write is refused, in /api/v1 too.", R"("full")");
  FIELD(std::optional<Timestamp>, expiresAt,
        "The end of its validity, UTC: a time in the future, not after the end of the key that "
        "creates it.",
        R"("2027-01-31T00:00:00")");
};

struct KeyParameters {
  FIELD(NonEmpty<std::string>, id, "The key's identifier, as the list shows it.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::optional<catalog::Made>, made,
        "The fate of the keys and links that were created by it, directly or through other keys: "
        "stays (default) or ends, even if the key or one in between is revoked already. From the "
        "33rd key of a chain on, end them by the 32nd.",
        R"("ends")");
};

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
  CO_TRY(const auto found, co_await call.services.keys.list(call.principal()));
  std::vector<KeyDetails> keys;
  for (const catalog::Key& key : found) keys.push_back(details_of(key));
  co_return Answer<std::vector<KeyDetails>>{std::move(keys)};
}

Task<Result<Answer<NewKeyDetails>>> make_key(Call call, NoParameters, WantedKey body) {
  core::KeyRequest request;
  request.name = std::move(body.name.value.value);
  request.folder = body.folder.value_or(Path());
  request.read_only = body.access == KeyAccess::read;
  request.expires_at = body.expiresAt;
  CO_TRY(const auto made, co_await call.services.keys.create(call.principal(), std::move(request)));
  NewKeyDetails details{details_of(made.key), made.secret};
  std::string location = "/api/v2/keys/" + details.key.id;
  co_return Answer<NewKeyDetails>{std::move(details), {{"Location", std::move(location)}}};
}

Task<Result<void>> end_key(Call call, KeyParameters parameters, NoBody) {
  const auto made = parameters.made.value_or(catalog::Made::stays);
  CO_TRY_VOID(co_await call.services.keys.revoke(call.principal(), parameters.id.value, made));
  if (made == catalog::Made::ends) call.services.uploads.sweep_unreachable_soon();
  co_return Result<void>{};
}

}  // namespace

std::vector<Route> key_routes() {
  using http::Method;
  return {json_route(Route(Method::get, "/api/v2/keys", "listKeys", "List the account's API keys",
                           "Without their secrets, by time of creation."),
                     &list_all_keys),
          json_route(Route(Method::post, "/api/v2/keys", "createKey", "Create an API key",
                           "The secret is in this answer and nowhere else. A session must be "
                           "confirmed (confirmSession).",
                           CallerRule::account, 201, {404, 409, 502, 504, 507}),
                     &make_key),
          json_route(Route(Method::del, "/api/v2/keys/{id}", "revokeKey", "Revoke an API key",
                           "Once the answer arrives, the key is no longer accepted, nor are the "
                           "keys and links that it created, if they are to end too.",
                           CallerRule::account, 204, {404, 507}),
                     &end_key)};
}

}  // namespace coffer::api::v2
