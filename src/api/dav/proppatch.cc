#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dav/answers.h"
#include "api/dav/body.h"
#include "api/dav/handlers.h"
#include "api/dav/properties.h"
#include "core/files/files.h"
#include "storage/backend.h"

namespace coffer::api::dav {
namespace {

struct Change {
  const XmlElement* property = nullptr;
  bool removes = false;
};

/// The changes of a `propertyupdate`, in their order (RFC 4918, section 14.19).
Result<std::vector<Change>> changes_in(const std::optional<XmlElement>& body) {
  if (!body || !body->name.is_dav("propertyupdate")) {
    return fail(ErrorCode::invalid, "The body is no propertyupdate element.");
  }
  std::vector<Change> all;
  for (const XmlElement& step : body->children) {
    const bool removes = step.name.is_dav("remove");
    if (!removes && !step.name.is_dav("set")) continue;
    const XmlElement* prop = step.child("prop");
    if (prop == nullptr) return fail(ErrorCode::invalid, "A change names no properties.");
    for (const XmlElement& property : prop->children) all.push_back({&property, removes});
  }
  if (all.empty()) return fail(ErrorCode::invalid, "The body changes nothing.");
  return all;
}

/// What all changes together come to.
struct Outcome {
  DeadProperties dead;
  bool changes_dead = false;
  bool needs_room = false;  ///< A property must be stored, or the request fails.
  std::optional<Timestamp> modified_at;
};

/// Applies a change; returns false if it is not allowed.
bool apply(const Change& change, Outcome& outcome) {
  const XmlElement& property = *change.property;
  const Settable how = settable(property.name);
  if (how == Settable::no) return false;
  if (how == Settable::modified) {
    if (change.removes) return false;
    outcome.modified_at = modified_in(property);
    return outcome.modified_at.has_value();
  }
  outcome.changes_dead = true;
  if (change.removes) {
    remove_property(outcome.dead, property.name);
    return true;
  }
  outcome.needs_room = outcome.needs_room || how == Settable::dead;
  set_property(outcome.dead, {property.name, text_of(property)});
  return true;
}

void append_status(std::string& out, const XmlName& name, unsigned status) {
  out.append("<D:propstat><D:prop>");
  XmlElement empty;
  empty.name = name;
  out += text_of(empty);
  out.append("</D:prop><D:status>").append(status_line(status)).append("</D:status>");
  out += "</D:propstat>";
}

/// The answer in which each change has a status.
http::Response multistatus(std::string_view href, const std::vector<Change>& changes,
                           const std::vector<unsigned>& statuses) {
  std::string text(kMultistatusBegin);
  text += "<D:response><D:href>";
  append_escaped(text, href);
  text += "</D:href>";
  for (std::size_t i = 0; i < changes.size(); ++i) {
    append_status(text, changes[i].property->name, statuses[i]);
  }
  text.append("</D:response>").append(kMultistatusEnd);
  http::Response response = answer(207);
  response.headers.emplace_back("Content-Type", kXmlType);
  response.body = std::move(text);
  return response;
}

/// Stores what the changes come to. `refused` or `disk_full` if the properties cannot be kept.
Task<Result<void>> store(const Call& call, const Outcome& outcome) {
  core::Files& files = call.services.files;
  if (outcome.changes_dead) {
    auto kept =
        co_await files.set_properties(call.principal, call.path, store_properties(outcome.dead));
    const bool may_be_lost =
        !kept && kept.error().code == ErrorCode::refused && !outcome.needs_room;
    if (!kept && !may_be_lost) co_return kept;
  }
  if (!outcome.modified_at) co_return Result<void>{};
  auto set = co_await files.set_modified(call.principal, call.path, *outcome.modified_at);
  // Windows sets the time of each file that it copies, and gives up where that fails.
  if (!set && set.error().code == ErrorCode::refused) co_return Result<void>{};
  co_return set;
}

bool cannot_be_kept(const Error& error) {
  return error.code == ErrorCode::refused || error.code == ErrorCode::disk_full;
}

}  // namespace

Task<Result<http::Response>> proppatch(const Call& call) {
  CO_TRY(const auto body, co_await read_xml(call, kMostUpdateBytes));
  CO_TRY(const auto changes, changes_in(body));
  core::Files& files = call.services.files;
  CO_TRY(const auto item, co_await files.info(call.principal, call.path));
  if (item.mount) co_return fail(ErrorCode::forbidden, "A mount has no properties of its own.");
  std::vector<std::string> self = {"."};
  CO_TRY(const auto stored, co_await files.properties(call.principal, call.path, std::move(self)));
  Outcome outcome;
  outcome.dead = read_properties(stored.front());
  std::vector<unsigned> statuses;
  bool is_allowed = true;
  for (const Change& change : changes) {
    statuses.push_back(apply(change, outcome) ? 200 : 403);
    is_allowed = is_allowed && statuses.back() == 200;
  }
  const std::string shown = co_await shown_path(call);
  const std::string href = href_of(call.request.base_path, shown, item.entry.is_directory);
  // All changes are made or none (RFC 4918, section 9.2).
  if (!is_allowed) {
    std::ranges::replace(statuses, 200U, 424U);
    co_return multistatus(href, changes, statuses);
  }
  const auto kept = co_await store(call, outcome);
  if (!kept && !cannot_be_kept(kept.error())) co_return failure_of(kept);
  if (!kept) statuses.assign(changes.size(), 507);
  co_return multistatus(href, changes, statuses);
}

}  // namespace coffer::api::dav
