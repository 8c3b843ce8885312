#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "api/dav/answers.h"
#include "api/dav/handlers.h"
#include "base/folding.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"

namespace coffer::api::dav {
namespace {

/// A COPY or MOVE.
struct Transfer {
  const Call& call;
  Path to;
  bool moves = false;
  storage::Entry item = {};
  bool is_shallow = false;  ///< A folder without what is in it (RFC 4918, section 9.8.3).
};

Result<bool> overwrites(const http::Request& request) {
  if (!request.has("Overwrite")) return true;
  const std::string_view value = request.header("Overwrite").value_or("");
  if (value == "T" || value == "t") return true;
  if (value == "F" || value == "f") return false;
  return fail(ErrorCode::invalid, "The header Overwrite is T or F.");
}

Task<Result<void>> transfer_to(const Transfer& transfer, Path folder, Name name) {
  core::Files& files = transfer.call.services.files;
  const core::Principal& principal = transfer.call.principal;
  const Path& from = transfer.call.path;
  if (transfer.is_shallow) {
    // Missing folders above it are not made (RFC 4918, section 9.8.5).
    CO_TRY([[maybe_unused]] const auto there, co_await files.info(principal, folder));
    CO_TRY_VOID(co_await files.make_folder(principal, folder, name));
    std::vector<std::string> self = {"."};
    CO_TRY(const auto stored, co_await files.properties(principal, from, std::move(self)));
    if (stored.front().empty()) co_return Result<void>{};
    const auto kept = co_await files.set_properties(principal, folder / name, stored.front());
    // Where there can be none, or one may only add, the folder stays without them.
    const auto code = kept ? ErrorCode::refused : kept.error().code;
    if (code == ErrorCode::refused || code == ErrorCode::forbidden) co_return Result<void>{};
    co_return kept;
  }
  if (transfer.moves) co_return co_await files.move(principal, from, folder, std::move(name));
  co_return co_await files.copy(principal, from, folder, std::move(name));
}

/// A name beside `name` that nobody else has.
Result<Name> name_beside(std::string_view name) {
  constexpr std::size_t kMostBytes = 200;
  const std::string_view extension = cut_utf8(extension_of(name), 32);
  const std::string_view stem = name.substr(0, name.size() - extension_of(name).size());
  return Name::parse(
      fmt::format("{} ({}){}", cut_utf8(stem, kMostBytes), random_hex(4), extension));
}

/// What the transfer would meet after the item at the target has gone into the bin.
Task<Result<void>> check_changes(const Transfer& transfer, bool is_taken) {
  using Kind = core::PlaceChange::Kind;
  const Call& call = transfer.call;
  core::ItemLocks& locks = call.services.item_locks;
  const Kind at_target = is_taken ? Kind::leave : Kind::write;
  CO_TRY_VOID(co_await locks.check(call.principal, transfer.to, at_target));
  if (is_taken) {
    CO_TRY_VOID(co_await call.services.files.check_replaceable(call.principal, transfer.to));
  }
  if (!transfer.moves) co_return Result<void>{};
  co_return co_await locks.check(call.principal, call.path, Kind::leave);
}

/// Takes back what stands beside the target that could not be replaced, for `error`. Returns that,
/// which also says where the item is if it could not be taken back.
Task<Error> take_back(const Transfer& transfer, const Path& beside, Error error) {
  const Call& call = transfer.call;
  core::Files& files = call.services.files;
  Result<void> done;
  if (transfer.moves) {
    const auto name = Name::parse(call.path.name());
    if (name) done = co_await files.move(call.principal, beside, call.path.parent(), *name);
  } else {
    done = co_await files.remove(call.principal, beside);
  }
  if (!done) {
    spdlog::warn("an item stays as \"{}\": {}", beside.str(), done.error().message);
    error.message += fmt::format(" It is at \"{}\" now.", beside.name());
  }
  co_return error;
}

/// Puts the item where another one is, which goes into the bin. It has another name beside that
/// first, so that the old item stays if it fails, or if another request has taken the new one.
Task<Result<void>> replace(const Transfer& transfer, const Name& name) {
  const Call& call = transfer.call;
  core::Files& files = call.services.files;
  const Path folder = transfer.to.parent();
  CO_TRY(const auto beside, name_beside(name.str()));
  CO_TRY_VOID(co_await transfer_to(transfer, folder, beside));
  auto done = co_await remove_item(call, transfer.to);
  // Another request may have taken the old item away meanwhile.
  if (done || done.error().code == ErrorCode::not_found) {
    done = co_await files.rename(call.principal, folder / beside, name);
  }
  if (done) co_return done;
  const Path stands_at = folder / beside;
  co_return std::unexpected(co_await take_back(transfer, stands_at, std::move(done).error()));
}

/// True if the item at the target may be the source itself by another spelling of its name. Where
/// it is that by another path, the source goes to a name beside it first, so that nothing is lost.
/// Hard links and copies in a store of objects have one identity, and are not the same.
bool may_be_same(const Path& from, const storage::Entry& source, const Path& to,
                 const storage::Entry& target) {
  if (from.parent() != to.parent() || source.file_id != target.file_id) return false;
  std::string one;
  std::string other;
  fold(from.name(), one);
  fold(to.name(), other);
  return one == other;
}

/// The status of an error that WebDAV has one of its own for (RFC 4918, section 9.8.5).
http::Response transfer_error(const http::Request& request, const Error& error) {
  if (error.code == ErrorCode::not_found) return error_answer(409, error.message);
  if (error.code == ErrorCode::exists) return error_answer(412, error.message);
  return error_answer(request, error);
}

Task<Result<http::Response>> run(const Transfer& transfer, bool may_overwrite) {
  const Call& call = transfer.call;
  core::Files& files = call.services.files;
  CO_TRY(const auto name, Name::parse(transfer.to.name()));
  const auto taken = co_await files.info(call.principal, transfer.to);
  if (!taken && taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
  if (taken && !may_overwrite) co_return error_answer(412, "The destination exists.");
  if (taken && taken->mount) co_return error_answer(403, "A mount cannot be replaced.");
  const bool is_same = taken && may_be_same(call.path, transfer.item, transfer.to, taken->entry);
  CO_TRY_VOID(co_await check_changes(transfer, taken && !is_same));
  Result<void> done;
  if (taken && !is_same) {
    done = co_await replace(transfer, name);
  } else {
    done = co_await transfer_to(transfer, transfer.to.parent(), name);
  }
  if (!done) co_return transfer_error(call.request, done.error());
  // A lock is of the name, and does not go with the item (RFC 4918, section 7.5).
  if (transfer.moves) co_await forget_locks(call);
  co_return answer(taken ? 204 : 201);
}

Task<Result<http::Response>> begin(const Call& call, bool moves) {
  CO_TRY(const auto depth, depth_of(call.request));
  CO_TRY(const bool may_overwrite, overwrites(call.request));
  Transfer transfer{call, {}, moves};
  CO_TRY(transfer.to, co_await destination_of(call));
  CO_TRY_VOID(check_new_name(call, transfer.to));
  CO_TRY(auto item, co_await call.services.files.info(call.principal, call.path));
  transfer.item = std::move(item.entry);
  const bool is_folder = transfer.item.is_directory;
  if (is_folder && (depth == Depth::one || (moves && depth == Depth::zero))) {
    co_return error_answer(400, "The header Depth has another value than it may have here.");
  }
  transfer.is_shallow = is_folder && depth == Depth::zero;
  if (moves && item.mount) co_return error_answer(403, "A mount cannot be moved.");
  if (transfer.to.is_root() || call.path.is_root()) {
    co_return error_answer(403, "The root itself cannot be copied, moved or replaced.");
  }
  // The one would be in the other, or have to go before it comes.
  if (transfer.to.is_within(call.path) || call.path.is_within(transfer.to)) {
    co_return error_answer(403,
                           "An item cannot be put into itself, nor in the place of a folder "
                           "that it is in.");
  }
  co_return co_await run(transfer, may_overwrite);
}

}  // namespace

Task<Result<http::Response>> copy(const Call& call) {
  return begin(call, false);
}

Task<Result<http::Response>> move(const Call& call) {
  return begin(call, true);
}

}  // namespace coffer::api::dav
