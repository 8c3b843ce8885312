#include <string>
#include <utility>

#include "api/dav/answers.h"
#include "api/dav/body.h"
#include "api/dav/handlers.h"
#include "base/log.h"
#include "core/bin/bin_service.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"

namespace coffer::api::dav {

Task<Result<http::Response>> make_collection(const Call& call) {
  if (has_body(call.request)) co_return error_answer(415, "A body is not understood here.");
  if (call.path.is_root()) co_return error_answer(405, "The root is there already.");
  CO_TRY_VOID(check_new_name(call, call.path));
  core::Files& files = call.services.files;
  // Unlike the other interfaces, this one makes no missing parents (RFC 4918, section 9.3.1).
  const auto parent = co_await files.info(call.principal, call.path.parent());
  const bool is_missing = !parent && parent.error().code == ErrorCode::not_found;
  if (is_missing || (parent && !parent->entry.is_directory)) {
    co_return error_answer(409, "The folder to make it in does not exist.");
  }
  if (!parent) co_return failure_of(parent);
  CO_TRY(const auto name, Name::parse(call.path.name()));
  const auto made = co_await files.make_folder(call.principal, call.path.parent(), name);
  if (made) co_return answer(201);
  // A mount's name is refused in another way.
  const auto taken = co_await files.info(call.principal, call.path);
  if (taken || made.error().code == ErrorCode::exists) {
    co_return error_answer(405, "The name is taken.");
  }
  co_return failure_of(made);
}

Task<Result<void>> remove_item(const Call& call, const Path& item) {
  CO_TRY(const bool has_bin, co_await call.services.bin.is_for(call.principal, item));
  if (has_bin) co_return co_await call.services.bin.take(call.principal, item);
  co_return co_await call.services.files.remove(call.principal, item);
}

Task<void> forget_locks(const Call& call) {
  const auto forgotten = co_await call.services.item_locks.forget(call.principal, call.path);
  if (!forgotten) spdlog::warn("locks of an item that is gone stay: {}", forgotten.error().message);
}

Task<Result<http::Response>> remove(const Call& call) {
  CO_TRY(const auto depth, depth_of(call.request));
  if (depth != Depth::infinity) {
    // Of a file any depth is the same.
    CO_TRY(const auto item, co_await call.services.files.info(call.principal, call.path));
    if (item.entry.is_directory) {
      co_return error_answer(400, "A folder is deleted with all that is in it.");
    }
  }
  CO_TRY_VOID(co_await remove_item(call, call.path));
  co_await forget_locks(call);
  co_return answer(204);
}

}  // namespace coffer::api::dav
