#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/v2/route.h"
#include "api/v2/values.h"
#include "catalog/mount_paths.h"
#include "catalog/row_limits.h"
#include "core/sharing/person_share_service.h"

namespace coffer::api::v2 {
namespace {

using catalog::Receiver;

/// The accounts and groups of a request, each an object with one of the two names.
struct WantedReceivers {
  std::vector<Receiver> value;

  static boost::json::object schema() {
    const auto named = [](const char* member) {
      return boost::json::object{
          {"type", "object"},
          {"properties", {{member, {{"type", "string"}, {"minLength", 1}, {"maxLength", 100}}}}},
          {"required", boost::json::array{member}},
          {"additionalProperties", false}};
    };
    return {{"type", "array"},
            {"minItems", 1},
            {"maxItems", catalog::kMostReceivers},
            {"items", {{"oneOf", boost::json::array{named("account"), named("group")}}}}};
  }
};

Result<Receiver> wanted_receiver_from(const boost::json::value& json) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid,
                "must have objects that each name an account or a group: {\"account\": \"ann\"}");
  };
  if (!json.is_object() || json.get_object().size() != 1) return malformed();
  const auto& member = *json.get_object().begin();
  const std::string_view kind(member.key().data(), member.key().size());
  const bool is_group = kind == "group";
  if (!is_group && kind != "account") return malformed();
  BoundedText<1, 100> name;
  TRY_VOID(from_json(member.value(), name));
  return Receiver{
      is_group ? Receiver::Kind::group : Receiver::Kind::account, std::move(name.value), {}};
}

Result<void> from_json(const boost::json::value& json, WantedReceivers& out) {
  if (!json.is_array()) return fail(ErrorCode::invalid, "is not an array");
  const auto& array = json.get_array();
  if (array.empty() || array.size() > catalog::kMostReceivers) {
    return fail(ErrorCode::invalid,
                fmt::format("must have 1 to {} items", catalog::kMostReceivers));
  }
  for (const boost::json::value& item : array) {
    TRY(auto receiver, wanted_receiver_from(item));
    out.value.push_back(std::move(receiver));
  }
  return {};
}

struct PersonDetails {
  static constexpr std::string_view kSchema = "Person";
  FIELD(std::optional<std::string>, account, "The account's name; null for a group.", R"("ann")");
  FIELD(std::optional<std::string>, group, "The group's name; null for an account.", "null");
  FIELD(std::string, displayName, "The name for people.", R"("Ann Lee")");
};

struct PersonShareDetails {
  static constexpr std::string_view kSchema = "PersonShare";
  FIELD(std::string, id, "Identifier.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, name, "The item's present name.", R"("holiday")");
  FIELD(bool, isDirectory, "True if it is a folder.", "true");
  FIELD(catalog::ShareAccess, access,
        "read; add: also upload and make folders, but neither change nor delete; or write.",
        R"("read")");
  FIELD(std::optional<std::string>, path,
        "The item's present path, for its owner; null for those who receive it.", R"("holiday")");
  FIELD(std::string, location,
        "The path that it has for those who receive it. A shared file is in it, under its name.",
        R"("__adm_5f0c2a9d1b7e4c385f0c2a9d1b7e4c38/")");
  FIELD(PersonDetails, owner, "Whose item it is.",
        R"({"account": "bob", "group": null, "displayName": "Bob"})");
  FIELD(std::vector<PersonDetails>, with,
        "Those that receive it; for the owner alone, empty for others.",
        R"([{"account": "ann", "group": null, "displayName": "Ann Lee"}])");
  FIELD(std::vector<PersonDetails>, through,
        "How the account receives it with this access: by its own name, or by groups that it is "
        "in; empty for the owner.",
        R"([{"account": null, "group": "staff", "displayName": "staff"}])");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
};

PersonDetails person_of(const Receiver& receiver) {
  PersonDetails details;
  const bool is_group = receiver.kind == Receiver::Kind::group;
  (is_group ? details.group : details.account) = receiver.name;
  details.displayName = receiver.display_name;
  return details;
}

PersonShareDetails share_details_of(const catalog::PersonShare& share) {
  PersonShareDetails details;
  details.id = share.id.value;
  details.name = share.item.name();
  details.isDirectory = share.is_folder;
  details.access = share.access;
  details.location = catalog::top_of(share.id).str() + '/';
  details.owner.account = share.owner->name;
  details.owner.displayName = owner_name(share);
  details.createdAt = share.created_at;
  return details;
}

PersonShareDetails details_for_owner(const catalog::GivenShare& given) {
  PersonShareDetails details = share_details_of(given.share);
  details.path = given.share.item.str();
  for (const Receiver& receiver : given.receivers) details.with.push_back(person_of(receiver));
  return details;
}

PersonShareDetails details_for_receiver(const core::ReceivedShare& received) {
  PersonShareDetails details = share_details_of(*received.share);
  for (const Receiver& one : received.through) details.through.push_back(person_of(one));
  return details;
}

enum class Direction : std::uint8_t { by_me, with_me };
constexpr auto words_of(Direction) {
  return enum_words<Direction>({{Direction::by_me, "byMe"}, {Direction::with_me, "withMe"}});
}

struct PersonShareParameters {
  FIELD(std::optional<Direction>, direction,
        "byMe (default): what the account shares; withMe: what others share with it.",
        R"("withMe")");
};

struct WantedPersonShare {
  FIELD(NonEmpty<ItemPath>, path, "A file or folder of the account's own; not the root.",
        R"("holiday")");
  FIELD(WantedReceivers, with, "The accounts and groups to share with, by name.",
        R"([{"account": "ann"}, {"group": "staff"}])");
  FIELD(catalog::ShareAccess, access,
        "read; add (of a folder): also upload and make folders, but neither change nor delete; or "
        "write.",
        R"("read")");
};

struct PersonShareChanges {
  FIELD(std::optional<WantedReceivers>, with,
        "All accounts and groups to share with, by name; those that are missing lose it.",
        R"([{"account": "ann"}])");
  FIELD(std::optional<catalog::ShareAccess>, access, "As for a new share.", R"("write")");
};

Task<Result<Answer<std::vector<PersonShareDetails>>>> list_person_shares(
    Call call, PersonShareParameters parameters, NoBody) {
  core::PersonShareService& shares = call.services.person_shares;
  Answer<std::vector<PersonShareDetails>> answer;
  if (parameters.direction == Direction::with_me) {
    CO_TRY(const auto received, co_await shares.list_received(call.principal()));
    for (const core::ReceivedShare& one : received) {
      answer.data.push_back(details_for_receiver(one));
    }
    co_return answer;
  }
  CO_TRY(const auto given, co_await shares.list_given(call.principal()));
  for (const catalog::GivenShare& one : given) answer.data.push_back(details_for_owner(one));
  co_return answer;
}

Task<Result<Answer<PersonShareDetails>>> show_person_share(Call call, EntryParameters parameters,
                                                           NoBody) {
  core::PersonShareService& shares = call.services.person_shares;
  const auto received = co_await shares.find_received(call.principal(), parameters.id.value);
  if (received) co_return Answer<PersonShareDetails>{details_for_receiver(*received)};
  if (received.error().code != ErrorCode::not_found) co_return failure_of(received);
  CO_TRY(const auto given, co_await shares.find_given(call.principal(), parameters.id.value));
  co_return Answer<PersonShareDetails>{details_for_owner(given)};
}

Task<Result<Answer<PersonShareDetails>>> make_person_share(Call call, NoParameters,
                                                           WantedPersonShare body) {
  core::PersonShareRequest request;
  request.path = std::move(body.path.value.value);
  request.access = body.access;
  request.receivers = std::move(body.with.value);
  CO_TRY(const auto made,
         co_await call.services.person_shares.create(call.principal(), std::move(request)));
  Answer<PersonShareDetails> answer;
  answer.data = details_for_owner(made);
  answer.headers.emplace_back("Location", "/api/v2/shares/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<PersonShareDetails>>> change_person_share(Call call, EntryParameters parameters,
                                                             PersonShareChanges body) {
  std::optional<std::vector<Receiver>> receivers;
  if (body.with) receivers = std::move(body.with->value);
  std::string id = std::move(parameters.id.value);
  CO_TRY(const auto changed,
         co_await call.services.person_shares.change(call.principal(), std::move(id), body.access,
                                                     std::move(receivers)));
  co_return Answer<PersonShareDetails>{details_for_owner(changed)};
}

Task<Result<void>> end_person_share(Call call, EntryParameters parameters, NoBody) {
  std::string id = std::move(parameters.id.value);
  CO_TRY_VOID(co_await call.services.person_shares.end(call.principal(), std::move(id)));
  call.services.uploads.sweep_unreachable_soon();
  co_return Result<void>{};
}

using SearchedName = BoundedText<core::PersonShareService::kLeastSearched, 100>;

struct PeopleParameters {
  FIELD(NonEmpty<SearchedName>, q,
        "What a word of the name begins with, whatever its case: two characters at least.",
        R"("an")");
};

Task<Result<Answer<std::vector<PersonDetails>>>> find_people(Call call, PeopleParameters parameters,
                                                             NoBody) {
  std::string text = std::move(parameters.q.value.value);
  CO_TRY(const auto found,
         co_await call.services.person_shares.search(call.principal(), std::move(text)));
  Answer<std::vector<PersonDetails>> answer;
  for (const Receiver& one : found) answer.data.push_back(person_of(one));
  co_return answer;
}

}  // namespace

std::vector<Route> person_share_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/shares";
  constexpr std::string_view kOne = "/api/v2/shares/{id}";
  return {
      json_route(
          Route(Method::get, kAll, "listPersonShares", "List what accounts share with each other",
                "What the account shares by time, or what others share with it by name. An item "
                "that several shares bring to the account is there once, as the oldest of them, "
                "with the widest access; the locations of the others lead there too.",
                CallerRule::account_files),
          &list_person_shares),
      json_route(
          Route(Method::post, kAll, "createPersonShare", "Share an item with accounts and groups",
                "For them it is a location of kind shared, with the path __adm_<id>/, in /api/v1 "
                "and by WebDAV too. What they store counts in the owner's quota, and what they "
                "delete goes into the owner's bin; versions are the owner's. The share follows the "
                "item when it is renamed or moved among the own files. It ends when the item is "
                "deleted or moved elsewhere; restoring the item does not bring it back. While the "
                "owner is disabled nobody reaches it. Items in shared folders or on servers cannot "
                "be shared: 403. A share of a file is a location that holds this file: it can be "
                "read and, with the access write, replaced, but keeps its name.",
                CallerRule::account_files, 201, {404, 409, 507}),
          &make_person_share),
      json_route(Route(Method::get, kOne, "showPersonShare", "Show a share",
                       "The same data as in the list.", CallerRule::account_files, 200, {404}),
                 &show_person_share),
      json_route(Route(Method::patch, kOne, "changePersonShare", "Change a share of the account",
                       "Missing members stay unchanged. The change applies from the next request "
                       "on, also to running work.",
                       CallerRule::account_files, 200, {404, 507}),
                 &change_person_share),
      json_route(Route(Method::del, kOne, "endPersonShare", "End a share",
                       "By the owner for all; by another account for itself alone, with all "
                       "other shares of the item. The item stays. "
                       "Once the answer arrives, nobody reaches it by the share any more.",
                       CallerRule::account_files, 204, {404, 507}),
                 &end_person_share),
      json_route(Route(Method::get, "/api/v2/people", "findPeople",
                       "Find accounts and groups to share with",
                       "At most 20, those whose own name begins so first. Disabled accounts and "
                       "the own one are left out. With the setting share_with = \"groups\" only "
                       "groups of the account and their members are found, and can be shared with.",
                       CallerRule::account_files),
                 &find_people)};
}

}  // namespace coffer::api::v2
