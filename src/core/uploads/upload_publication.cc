#include "core/uploads/upload_publication.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;
using catalog::UploadRecord;

constexpr std::size_t kBlockBytes = 1024 * 1024;
/// The number of tries if other requests take the free name.
constexpr int kNames = 100;
constexpr int kNamesLookedAt = 16;

/// Fills `out`, or reads all that is left.
Task<Result<std::size_t>> read_block(storage::Reader& reader, std::uint64_t offset,
                                     std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    CO_TRY(const auto count, co_await reader.read(offset + filled, out.subspan(filled)));
    if (count == 0) break;
    filled += count;
  }
  co_return filled;
}

Task<Result<bool>> is_same_content(storage::Reader& reader, storage::SpoolFile& file) {
  std::vector<std::byte> ours(kBlockBytes);
  std::vector<std::byte> theirs(kBlockBytes);
  for (std::uint64_t offset = 0;;) {
    CO_TRY(const auto count, co_await file.read(offset, ours));
    if (count == 0) co_return true;
    CO_TRY(const auto there, co_await read_block(reader, offset, std::span(theirs).first(count)));
    const auto end = ours.begin() + static_cast<std::ptrdiff_t>(count);
    if (there != count || !std::equal(ours.begin(), end, theirs.begin())) co_return false;
    offset += count;
  }
}

}  // namespace

UploadPublication::UploadPublication(Services services, Principal principal, ResolvedPath folder,
                                     const UploadRecord& upload, storage::SpoolFile& file)
    : services_(services),
      principal_(std::move(principal)),
      folder_(std::move(folder)),
      upload_(upload),
      file_(file) {}

Task<Result<bool>> UploadPublication::publish() {
  const auto shown = co_await publish_anywhere();
  if (!shown && has_begun_) co_await rollback();
  if (!shown) co_return failure_of(shown);
  // After a failure the upload is reconciled at the next access or start.
  const auto ended = co_await services_.catalog.uploads().end(upload_.account, upload_.held());
  if (!ended) spdlog::error("the end of an upload was not recorded: {}", ended.error().message);
  is_unrecorded_ = !ended;
  co_return ended.has_value();
}

/// A remote server may have executed the last run's request after the upload was reconciled, and
/// what a disk holds that was not mounted then is seen only now. In an account's own files, whose
/// quota an upload reserves again when it is reconciled, neither occurs.
Task<Result<bool>> UploadPublication::was_shown_late() {
  if (upload_.shown_name.empty() || folder_.quota_account) co_return false;
  const auto shown = co_await is_shown(folder_, upload_, file_);
  if (!shown || !*shown) co_return shown;
  CO_TRY_VOID(co_await services_.catalog.uploads().begin_finishing(upload_.account, upload_.held(),
                                                                   upload_.shown_name));
  co_return true;
}

Task<Result<void>> UploadPublication::publish_anywhere() {
  CO_TRY(const auto was_shown, co_await was_shown_late());
  if (was_shown) co_return Result<void>{};
  if (upload_.on_conflict != OnConflict::keep_both) co_return co_await show_as(upload_.name);
  Result<void> shown;
  for (int i = 0; i < kNames; ++i) {
    CO_TRY(auto name, co_await free_name());
    shown = co_await show_as(name);
    if (shown || shown.error().code != ErrorCode::exists) co_return shown;
    taken_.add(std::move(name));
  }
  co_return shown;
}

/// Looks for a few names one by one before it lists the folder, which may have very many items.
Task<Result<std::string>> UploadPublication::free_name() {
  for (int i = 0; i < kNamesLookedAt; ++i) {
    std::string name = taken_.free_name_for(upload_.name);
    CO_TRY(const auto parsed, Name::parse(name));
    const auto there = co_await folder_.backend->stat(folder_.path / parsed);
    if (!there && there.error().code == ErrorCode::not_found) co_return name;
    if (!there) break;
    taken_.add(std::move(name));
  }
  CO_TRY(const auto entries, co_await folder_.backend->list(folder_.path));
  for (const storage::Entry& entry : entries) taken_.add(entry.name);
  co_return taken_.free_name_for(upload_.name);
}

Task<Result<void>> UploadPublication::show_as(std::string name) {
  auto begun =
      co_await services_.catalog.uploads().begin_finishing(upload_.account, upload_.held(), name);
  // It may be recorded all the same.
  if (!begun && is_own_failure(begun.error().code)) is_unrecorded_ = true;
  if (!begun) co_return begun;
  if (!std::exchange(has_begun_, true)) reserved_bytes_ = upload_.quota_bytes;
  Upload upload(principal_, folder_, services_.quota, services_.access_recheck,
                services_.folder_changes);
  upload.reservation().add_reserved(std::exchange(reserved_bytes_, 0));
  storage::WriteOptions options;
  const bool replaces = upload_.on_conflict == OnConflict::replace;
  if (!replaces) options.if_taken = storage::IfTaken::refuse;
  options.modified_at = upload_.modified_at;
  options.size_bytes = upload_.length_bytes;
  auto shown = co_await upload.begin_file(name, std::move(options));
  if (shown) shown = co_await fill(upload);
  if (shown) {
    auto published = co_await upload.publish();
    if (!published) shown = failure_of(std::move(published));
  }
  if (!shown) reserved_bytes_ = upload.reservation().release();
  co_return shown;
}

Task<Result<void>> UploadPublication::fill(Upload& upload) {
  if (upload_.length_bytes == 0) co_return Result<void>{};
  CO_TRY(const auto adopted, co_await upload.adopt(file_));
  if (adopted) co_return Result<void>{};
  co_return co_await copy_into(upload);
}

Task<Result<void>> UploadPublication::copy_into(Upload& upload) {
  std::vector<std::byte> block(kBlockBytes);
  for (std::uint64_t offset = 0;;) {
    CO_TRY(const auto count, co_await file_.read(offset, block));
    if (count == 0) co_return Result<void>{};
    CO_TRY_VOID(co_await upload.write(std::span(block).first(count)));
    offset += count;
  }
}

Task<void> UploadPublication::rollback() {
  const std::uint64_t reserved = std::exchange(reserved_bytes_, 0);
  auto given = co_await services_.catalog.uploads().give_up_finishing(upload_.account,
                                                                      upload_.held(), reserved);
  if (given) {
    is_unrecorded_ = false;
    co_return;
  }
  is_unrecorded_ = true;
  // The upload reserves its quota again when it is reconciled.
  // Where it is not known whether the upload has it already, it stays reserved until the run ends.
  const auto code = given.error().code;
  if (reserved > 0 && code != ErrorCode::failed && code != ErrorCode::in_doubt) {
    given = co_await services_.catalog.ledger().record(upload_.quota_account, reserved, 0);
  }
  if (!given)
    spdlog::error("a failed publication of an upload was not recorded: {}", given.error().message);
}

Task<Result<bool>> is_shown(const ResolvedPath& folder, const UploadRecord& upload,
                            storage::SpoolFile& file) {
  const auto name = Name::parse(upload.shown_name);
  if (!name) co_return false;
  const Path path = folder.path / *name;
  const auto entry = co_await folder.backend->stat(path);
  const auto code = entry ? ErrorCode::failed : entry.error().code;
  if (code == ErrorCode::not_found || code == ErrorCode::invalid) co_return false;
  if (!entry) co_return failure_of(entry);
  if (entry->is_directory || entry->size_bytes != upload.length_bytes) co_return false;
  if (entry->file_id != 0 && file.is_known_as(entry->file_id)) co_return true;
  CO_TRY(const auto reader, co_await folder.backend->open(path));
  co_return co_await is_same_content(*reader, file);
}

}  // namespace coffer::core
