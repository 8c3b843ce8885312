#include "api/dav/conditions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/content.h"
#include "api/dav/if_header.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"
#include "http/conditional.h"

namespace coffer::api::dav {
namespace {

/// What conditions are about: the state of one item.
struct State {
  std::string etag;  ///< Empty for a folder, and where there is no item.
  std::vector<catalog::FileLock> locks;
};

bool is_met(const IfCondition& condition, const State& state) {
  bool met = false;
  if (condition.is_etag) {
    met = !state.etag.empty() && condition.text == state.etag;
  } else {
    met = std::ranges::find(state.locks, condition.text, &catalog::FileLock::token) !=
          state.locks.end();
  }
  return met != condition.is_negated;
}

Task<Result<State>> state_of(const Call& call, const Path& path) {
  State state;
  const auto item = co_await call.services.files.info(call.principal, path);
  if (!item && item.error().code != ErrorCode::not_found) co_return failure_of(item);
  if (item && !item->entry.is_directory) state.etag = etag_of(version_of(item->entry));
  CO_TRY(const auto around, co_await call.services.item_locks.around(call.principal, path));
  state.locks = around.of();
  co_return state;
}

/// The state of what a tagged list names. An item that is out of reach has no state.
Task<Result<State>> state_of(const Call& call, const std::string& resource) {
  if (resource.empty()) co_return co_await state_of(call, call.path);
  const auto rest = rest_of_address(call.services, resource, call.request);
  if (!rest) co_return State();
  const auto path = co_await path_in(call.services, call.principal, *rest);
  if (!path) co_return State();
  co_return co_await state_of(call, *path);
}

Task<Result<bool>> is_any_met(const Call& call, const IfHeader& header) {
  std::map<std::string, State> states;
  for (const IfList& list : header.lists) {
    if (!states.contains(list.resource)) {
      CO_TRY(auto state, co_await state_of(call, list.resource));
      states.emplace(list.resource, std::move(state));
    }
    const State& state = states.at(list.resource);
    const bool met = std::ranges::all_of(
        list.conditions, [&](const IfCondition& condition) { return is_met(condition, state); });
    if (met) co_return true;
  }
  co_return false;
}

}  // namespace

Task<Result<void>> check_conditions(Call& call) {
  if (!call.request.has("If")) co_return Result<void>{};
  CO_TRY(const auto header, parse_if(call.request.header("If").value_or("")));
  auto tokens = std::make_shared<const std::vector<std::string>>(header.tokens());
  call.principal.lock_tokens = std::move(tokens);
  CO_TRY(const bool met, co_await is_any_met(call, header));
  if (met) co_return Result<void>{};
  co_return fail(ErrorCode::changed, "No list of conditions in the header If is met.");
}

Task<Result<std::optional<storage::FileVersion>>> check_write_conditions(const Call& call) {
  const auto there = co_await call.services.files.info(call.principal, call.path);
  if (!there && there.error().code != ErrorCode::not_found) co_return failure_of(there);
  std::optional<storage::FileVersion> version;
  std::optional<http::Validators> current;
  if (there) {
    version = version_of(there->entry);
    const bool is_folder = there->entry.is_directory;  // Which has no tag.
    current.emplace(is_folder ? "" : etag_of(*version), there->entry.modified_at);
  }
  if (http::meets_write_conditions(call.request, current)) co_return version;
  co_return fail(ErrorCode::changed, "The item is not in the state that the request names.");
}

}  // namespace coffer::api::dav
