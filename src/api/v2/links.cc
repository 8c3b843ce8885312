#include <array>
#include <string>
#include <utility>

#include "api/model.h"
#include "api/v2/body.h"
#include "api/v2/body_schema.h"
#include "api/v2/link_mode.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

/// How many downloads a link is good for: 1 to 1,000,000.
struct DownloadLimit {
  static constexpr std::uint64_t kMost = 1'000'000;
  std::uint64_t value = 0;
};

Result<void> from_json(const boost::json::value& json, DownloadLimit& out) {
  auto read = from_json(json, out.value);
  if (!read) return read;
  if (out.value >= 1 && out.value <= DownloadLimit::kMost) return {};
  return fail(ErrorCode::invalid, "must be from 1 to 1000000");
}

template <>
struct BodySchema<DownloadLimit> {
  static boost::json::object make() {
    return {{"type", "integer"}, {"minimum", 1}, {"maximum", DownloadLimit::kMost}};
  }
};

struct LinkDetails {
  std::string id;
  std::optional<std::string> token;
  std::string path;
  bool isDirectory = false;
  catalog::LinkMode mode = catalog::LinkMode::read;
  bool hasPassword = false;
  std::optional<Timestamp> expiresAt;
  std::optional<std::uint64_t> maxDownloads;
  std::uint64_t downloads = 0;
  Timestamp createdAt;
  std::optional<Timestamp> lastUsedAt;
  std::vector<std::string> makers;
};
BOOST_DESCRIBE_STRUCT(LinkDetails, (),
                      (id, token, path, isDirectory, mode, hasPassword, expiresAt, maxDownloads,
                       downloads, createdAt, lastUsedAt, makers))

struct WantedLink {
  NonEmpty<ItemPath> path;
  std::optional<catalog::LinkMode> mode;
  std::optional<Password> password;
  std::optional<Timestamp> expiresAt;
  std::optional<DownloadLimit> maxDownloads;
};
BOOST_DESCRIBE_STRUCT(WantedLink, (), (path, mode, password, expiresAt, maxDownloads))

struct LinkParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(LinkParameters, (), (id))

}  // namespace v2

template <>
struct Docs<v2::LinkDetails> {
  static constexpr std::string_view name = "Link";
  static constexpr std::array<FieldDoc, 12> fields{{
      {"id", "Identifier, used to end it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"token",
       "What guests have instead of a key; null where the server's secret key was replaced since.",
       R"("7a1c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"path", "The item, by its name of now.", R"("holiday")"},
      {"isDirectory", "Whether it is a folder.", "true"},
      {"mode", "read, or upload: into a folder of which guests see nothing.", R"("read")"},
      {"hasPassword", "Whether guests have to know a password.", "false"},
      {"expiresAt", "From when it opens nothing any more, UTC; null for never.", "null"},
      {"maxDownloads", "How many downloads it is good for; null for any number.", "null"},
      {"downloads", "How many there were.", "0"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"lastUsedAt", "UTC, up to a minute late; null before the first use.", "null"},
      {"makers", "The ids of the keys that it was made with, as in a key.", "[]"},
  }};
};

template <>
struct Docs<v2::WantedLink> {
  static constexpr std::array<FieldDoc, 5> fields{{
      {"path", "The file or folder; not the root.", R"("holiday")"},
      {"mode", "read, the default, or upload: into a folder of which guests see nothing.",
       R"("read")"},
      {"password", "What guests have to know: 8 to 1024 bytes. Without it they need none.",
       R"("correct horse")"},
      {"expiresAt",
       "A time in the future from when it opens nothing any more, UTC: at the latest when the key "
       "ends that makes it.",
       R"("2027-01-31T00:00:00")"},
      {"maxDownloads",
       "How many answers with content it is good for, 1 to 1000000: of a file, of a part of it, or "
       "of an archive.",
       "10"},
  }};
};

template <>
struct Docs<v2::LinkParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The link's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

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

Task<Result<Answer<std::vector<LinkDetails>>>> list_links(Call call, NoParameters, NoBody) {
  const auto found = co_await call.services.links.list(call.principal());
  if (!found) co_return failure_of(found);
  std::vector<LinkDetails> links;
  for (const core::SharedLink& link : *found) links.push_back(details_of(link));
  co_return Answer<std::vector<LinkDetails>>{std::move(links)};
}

Task<Result<Answer<LinkDetails>>> make_link(Call call, NoParameters, WantedLink body) {
  core::LinkRequest request;
  request.path = std::move(body.path.value.value);
  request.mode = body.mode.value_or(catalog::LinkMode::read);
  if (body.password) request.password = std::move(body.password->value);
  request.expires_at = body.expiresAt;
  if (body.maxDownloads) request.most_downloads = body.maxDownloads->value;
  const auto made = co_await call.services.links.create(call.principal(), std::move(request));
  if (!made) co_return failure_of(made);
  Answer<LinkDetails> answer;
  answer.data = details_of(*made);
  answer.headers.emplace_back("Location", "/api/v2/links/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<Nothing>>> end_link(Call call, LinkParameters parameters, NoBody) {
  auto ended = co_await call.services.links.end(call.principal(), parameters.id.value);
  if (!ended) co_return failure_of(std::move(ended));
  co_await call.services.uploads.sweep_ended_links();
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> link_routes() {
  using http::Method;
  Route list{Method::get, "/api/v2/links", "listLinks", "List the account's share links",
             "By time of creation, with those that have expired."};
  Route make{Method::post, "/api/v2/links", "createLink", "Share a file or folder by a link",
             "Guests need nothing but its token: they use /api/v2/guest/{token}. It follows the "
             "item when that gets another name or place, and ends when it is deleted. It opens "
             "what the account may reach at that moment, and no more."};
  make.success = 201;
  make.errors = {404, 409, 429, 502, 504, 507};
  Route end{Method::del, "/api/v2/links/{id}", "endLink", "End a share link",
            "When the answer arrives, no guest is let in by it any more."};
  end.success = 204;
  end.errors = {404, 507};
  return {json_route(list, &list_links), json_route(make, &make_link), json_route(end, &end_link)};
}

}  // namespace v2
}  // namespace coffer::api
