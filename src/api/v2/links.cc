#include <array>
#include <string>
#include <utility>

#include "api/model.h"
#include "api/v2/body.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {
namespace {

/// The most downloads of a link: 1 to 1,000,000.
struct DownloadLimit {
  static constexpr std::uint64_t kMost = 1'000'000;
  std::uint64_t value = 0;
  static boost::json::object schema() {
    return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMost}};
  }
};

Result<void> from_json(const boost::json::value& json, DownloadLimit& out) {
  TRY_VOID(v2::from_json(json, out.value));
  if (out.value >= 1 && out.value <= DownloadLimit::kMost) return {};
  return fail(ErrorCode::invalid, "must be from 1 to 1000000");
}

struct LinkDetails {
  static constexpr std::string_view kSchema = "Link";
  FIELD(std::string, id, "Identifier, used to end it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::optional<std::string>, token,
        "The secret of guests; null if the server's secret key was replaced since, and for keys "
        "that may only read: what it opens may be more, and outlives the key.",
        R"("7a1c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, path, "The present path of the item.", R"("holiday")");
  FIELD(std::optional<std::string>, by,
        "The display name of the account that created it, if it is in what the account shares; "
        "null for its own.",
        "null");
  FIELD(bool, isDirectory, "True if it is a folder.", "true");
  FIELD(catalog::LinkMode, mode, "read, or upload into a folder whose contents guests cannot see.",
        R"("read")");
  FIELD(bool, hasPassword, "True if guests need a password.", "false");
  FIELD(std::optional<Timestamp>, expiresAt, "The end of its validity, UTC; null for none.",
        "null");
  FIELD(std::optional<std::uint64_t>, maxDownloads, "The most downloads; null for no limit.",
        "null");
  FIELD(std::uint64_t, downloads, "The number of downloads so far.", "0");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<Timestamp>, lastUsedAt,
        "UTC, up to a minute late; null before the first use.", "null");
  FIELD(std::vector<std::string>, makers, "The ids of the keys that created it, as for a key.",
        "[]");
};

struct WantedLink {
  FIELD(NonEmpty<ItemPath>, path, "The file or folder; not the root.", R"("holiday")");
  FIELD(std::optional<catalog::LinkMode>, mode,
        "read (default), or upload into a folder whose contents guests cannot see.", R"("read")");
  FIELD(std::optional<Password>, password,
        "The password for guests: 8 to 1024 bytes. Without it they need none.",
        R"("correct horse")");
  FIELD(std::optional<Timestamp>, expiresAt,
        "The end of its validity, UTC: a time in the future, not after the end of the key that "
        "creates it.",
        R"("2027-01-31T00:00:00")");
  FIELD(std::optional<DownloadLimit>, maxDownloads,
        "The most downloads, 1 to 1000000: of a file, by however many requests, or of an archive.",
        "10");
};

LinkDetails details_of(const core::SharedLink& shared) {
  const catalog::Link& link = shared.link;
  LinkDetails details;
  details.id = link.key.id.value;
  if (!shared.token.empty()) details.token = shared.token;
  details.path = link.key.folder->str();
  details.isDirectory = link.is_folder;
  details.mode = link.mode;
  details.hasPassword = !link.password_hash.empty();
  details.expiresAt = link.key.expires_at;
  details.maxDownloads = link.most_downloads;
  details.downloads = link.downloads;
  details.createdAt = link.key.created_at;
  details.lastUsedAt = link.key.last_used_at;
  details.makers = ids_of(link.key.makers);
  return details;
}

enum class LinkMakers : std::uint8_t { own, receivers };
constexpr auto words_of(LinkMakers) {
  return enum_words<LinkMakers>({{LinkMakers::own, "own"}, {LinkMakers::receivers, "receivers"}});
}

struct LinkParameters {
  FIELD(std::optional<LinkMakers>, of,
        "own (default): the account's links; receivers: those that others created in what the "
        "account shares with them, without tokens, the 1000 oldest at most.",
        R"("receivers")");
};

Task<Result<Answer<std::vector<LinkDetails>>>> list_links(Call call, LinkParameters parameters,
                                                          NoBody) {
  std::vector<LinkDetails> links;
  if (parameters.of == LinkMakers::receivers) {
    CO_TRY(auto of_receivers, co_await call.services.links.list_in_shares(call.principal()));
    for (catalog::LinkInShare& one : of_receivers) {
      links.push_back(details_of({std::move(one.link), {}}));
      links.back().by = std::move(one.maker);
      links.back().makers.clear();
    }
    co_return Answer<std::vector<LinkDetails>>{std::move(links)};
  }
  CO_TRY(const auto found, co_await call.services.links.list(call.principal()));
  for (const core::SharedLink& link : found) links.push_back(details_of(link));
  co_return Answer<std::vector<LinkDetails>>{std::move(links)};
}

Task<Result<Answer<LinkDetails>>> make_link(Call call, NoParameters, WantedLink body) {
  core::LinkRequest request;
  request.path = std::move(body.path.value.value);
  request.mode = body.mode.value_or(catalog::LinkMode::read);
  if (body.password) {
    request.password = {std::move(body.password->value), call.password_asker()};
  }
  request.expires_at = body.expiresAt;
  if (body.maxDownloads) request.most_downloads = body.maxDownloads->value;
  CO_TRY(const auto made,
         co_await call.services.links.create(call.principal(), std::move(request)));
  Answer<LinkDetails> answer;
  answer.data = details_of(made);
  answer.headers.emplace_back("Location", "/api/v2/links/" + answer.data.id);
  co_return answer;
}

Task<Result<void>> end_link(Call call, EntryParameters parameters, NoBody) {
  CO_TRY_VOID(co_await call.services.links.end(call.principal(), parameters.id.value));
  call.services.uploads.sweep_unreachable_soon();
  co_return Result<void>{};
}

}  // namespace

std::vector<Route> link_routes() {
  using http::Method;
  return {
      json_route(Route(Method::get, "/api/v2/links", "listLinks", "List share links",
                       "By time of creation, including expired ones.", CallerRule::account_files),
                 &list_links),
      json_route(
          Route(Method::post, "/api/v2/links", "createLink", "Share a file or folder by a link",
                "Guests need only its token: they use /api/v2/guest/{token}. The link follows the "
                "item when it is renamed or moved, and ends when it is deleted. It opens only what "
                "the account may reach at the moment of a request.",
                CallerRule::account_files, 201, {404, 409, 502, 504, 507}),
          &make_link),
      json_route(Route(Method::del, "/api/v2/links/{id}", "endLink", "End a share link",
                       "Once the answer arrives, the link is no longer accepted. Who shares an "
                       "item may also end the links that others created in it.",
                       CallerRule::account_files, 204, {404, 507}),
                 &end_link)};
}

}  // namespace coffer::api::v2
