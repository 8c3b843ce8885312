#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dav/answers.h"
#include "api/dav/body.h"
#include "api/dav/handlers.h"
#include "api/dav/lock_words.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"

namespace coffer::api::dav {
namespace {

http::Response lock_answer(unsigned status, const ShownLock& lock) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:prop xmlns:D=\"DAV:\"><D:lockdiscovery>";
  append_locks(text, {lock});
  text += "</D:lockdiscovery></D:prop>\n";
  http::Response response = answer(status);
  response.headers.emplace_back("Content-Type", kXmlType);
  response.body = std::move(text);
  return response;
}

/// Makes an empty file of a name that is free, so that nobody else takes the name. Returns whether
/// it was free.
Task<Result<bool>> make_if_free(const Call& call, const std::string& token) {
  if (call.path.is_root()) co_return false;
  const auto item = co_await call.services.files.info(call.principal, call.path);
  if (item) co_return false;
  if (item.error().code != ErrorCode::not_found) co_return failure_of(item);
  core::Principal holder = call.principal;
  std::vector<std::string> tokens = {token};
  if (holder.lock_tokens) {
    tokens.insert(tokens.end(), holder.lock_tokens->begin(), holder.lock_tokens->end());
  }
  holder.lock_tokens = std::make_shared<const std::vector<std::string>>(std::move(tokens));
  CO_TRY(const auto name, Name::parse(call.path.name()));
  co_return co_await call.services.files.make_file(holder, call.path.parent(), name);
}

Task<Result<http::Response>> refresh(const Call& call) {
  const auto& tokens = call.principal.lock_tokens;
  if (!tokens || tokens->empty()) {
    co_return fail(ErrorCode::invalid,
                   "A LOCK without a body names in the header If the lock to keep.");
  }
  core::ItemLocks& locks = call.services.item_locks;
  auto lock =
      co_await locks.refresh(call.principal, call.path, tokens->front(), timeout_of(call.request));
  if (!lock && lock.error().code == ErrorCode::not_found) {
    co_return precondition_answer(412, "lock-token-matches-request-uri");
  }
  if (!lock) co_return failure_of(std::move(lock));
  CO_TRY(const auto around, co_await locks.around(call.principal, call.path));
  const std::size_t levels = around.levels_above(*lock);
  const std::string shown = co_await shown_path(call);
  std::string href = root_href_of(call.request.base_path, shown, call.names_folder, levels);
  co_return lock_answer(200, {*std::move(lock), std::move(href)});
}

std::unexpected<Error> made_by_another() {
  return fail(ErrorCode::forbidden, "Another account has made the item meanwhile.");
}

/// A folder above the item that is missing is a conflict (RFC 4918, section 9.10.6).
http::Response lock_error(const Error& error) {
  if (error.code == ErrorCode::not_found) return error_answer(409, error.message);
  if (error.code == ErrorCode::locked) return precondition_answer(423, "no-conflicting-lock");
  return error_answer(error);
}

}  // namespace

Task<Result<http::Response>> lock(const Call& call) {
  CO_TRY(const auto depth, depth_of(call.request));
  CO_TRY(const auto body, co_await read_xml(call, kMostQueryBytes));
  if (!body) co_return co_await refresh(call);
  CO_TRY_VOID(check_new_name(call, call.path));
  CO_TRY(auto wanted, read_lock_info(*body));
  if (depth == Depth::one) co_return error_answer(400, "The depth of a lock is 0 or infinity.");
  wanted.is_deep = depth == Depth::infinity;
  wanted.lasts = timeout_of(call.request);
  core::ItemLocks& locks = call.services.item_locks;
  auto taken = co_await locks.take(call.principal, call.path, std::move(wanted));
  if (!taken) co_return lock_error(taken.error());
  const std::string token = taken->lock.token;
  auto is_new = co_await make_if_free(call, token);
  if (is_new && taken->is_for_new && !*is_new) is_new = made_by_another();
  if (!is_new) {
    const auto released = co_await locks.release(call.principal, call.path, token);
    if (!released) co_return failure_of(released);
    co_return lock_error(is_new.error());
  }
  const std::string shown = co_await shown_path(call);
  std::string href = root_href_of(call.request.base_path, shown, call.names_folder, 0);
  http::Response response =
      lock_answer(*is_new ? 201 : 200, {std::move(taken->lock), std::move(href)});
  response.headers.emplace_back("Lock-Token", '<' + token + '>');
  co_return response;
}

Task<Result<http::Response>> unlock(const Call& call) {
  CO_TRY(auto token, lock_token_of(call.request));
  const auto released =
      co_await call.services.item_locks.release(call.principal, call.path, std::move(token));
  if (!released && released.error().code == ErrorCode::not_found) {
    co_return precondition_answer(409, "lock-token-matches-request-uri");
  }
  if (!released) co_return failure_of(released);
  co_return answer(204);
}

}  // namespace coffer::api::dav
