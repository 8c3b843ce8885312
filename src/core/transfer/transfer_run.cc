#include "core/transfer/transfer_run.h"

#include "base/error.h"

namespace coffer::core {

Result<void> TransferRun::take_room(std::uint64_t bytes) {
  if (bytes > room_bytes_) return fail_over_quota();
  room_bytes_ -= bytes;
  return {};
}

Task<Result<void>> TransferRun::recheck() const {
  if (!recheck_) co_return Result<void>();
  co_return co_await recheck_();
}

void TransferRun::stop(Error error) {
  if (!error_) error_ = std::move(error);
}

Result<void> TransferRun::outcome() const {
  if (progress_.was_cancelled()) return fail(ErrorCode::conflict, "The transfer was cancelled.");
  if (error_) return std::unexpected(*error_);
  return {};
}

Error about_item(const Path& path, Error error) {
  if (path.is_root()) return error;
  error.message = "\"" + path.str() + "\" could not be transferred: " + error.message;
  return error;
}

bool is_passing(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

Error source_changed(const TransferRun& run) {
  return {ErrorCode::conflict,
          run.moves()
              ? "The source changed while it was moved, so it stays where it was."
              : "The source changed while it was copied, so nothing was stored. Try again."};
}

bool is_unchanged(const storage::Entry& before, const storage::Entry& now) {
  return before.is_directory == now.is_directory && before.size_bytes == now.size_bytes &&
         before.modified_at == now.modified_at && before.file_id == now.file_id;
}

}  // namespace coffer::core
