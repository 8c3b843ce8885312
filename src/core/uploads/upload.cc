#include "core/uploads/upload.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "core/accounts/quota.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

constexpr std::uint64_t kReservationStepBytes = 8 * 1024 * 1024;
constexpr int kPublishTries = 8;

/// The size that multipart framing may have in a body: enough for many small files, so that no
/// fitting upload is refused. A larger content is stopped at the limit while it streams.
std::uint64_t framing_allowance(std::uint64_t content_length) {
  return std::min(content_length, 4096 + content_length / 8);
}

std::int64_t growth_of(const storage::Published& file) {
  return static_cast<std::int64_t>(file.size_bytes) -
         static_cast<std::int64_t>(file.replaced_bytes);
}

}  // namespace

Upload::Upload(Principal principal, ResolvedPath folder, const Quota& quota,
               AccessRecheck& access_recheck, FolderChanges& folder_changes)
    : principal_(std::move(principal)),
      folder_(std::move(folder)),
      reservation_(quota, folder_.quota_account),
      collected_(quota.mount_room, principal_.account->id),
      access_recheck_(access_recheck),
      uses_{MountUse{folder_.mount, true}},
      folder_changes_(folder_changes) {}

Task<Result<void>> Upload::expect(std::optional<std::uint64_t> content_length) {
  expected_bytes_ = content_length;
  if (!content_length) co_return Result<void>{};
  const std::uint64_t content = *content_length - framing_allowance(*content_length);
  if (auto held = co_await check_capacity(*folder_.backend, content); !held) {
    const auto fits = co_await lacking(content);
    if (!fits) co_return failure_of(fits);
    co_return held;
  }
  // Reserving the whole length at once is the cheap case.
  auto whole = co_await reservation_.try_grow_to(*content_length);
  if (whole || whole.error().code != ErrorCode::over_quota) co_return whole;
  CO_TRY(const auto lent, co_await lacking(content));
  co_return co_await reservation_.lend_to(lent);
}

/// Returns how many of the bytes have no room before the files go that they replace.
Task<Result<std::uint64_t>> Upload::lacking(std::uint64_t content_bytes) {
  CO_TRY(const auto free_bytes, co_await reservation_.available());
  if (content_bytes <= free_bytes) co_return std::uint64_t{0};
  CO_TRY(const auto replaced, co_await replaceable());
  if (content_bytes - free_bytes > replaced) co_return fail_over_quota();
  co_return content_bytes - free_bytes;
}

Task<Result<void>> Upload::begin_file(std::string_view text, storage::WriteOptions options) {
  CO_TRY(const auto name, Name::parse(text));
  CO_TRY_VOID(check_new_name(folder_, name.str()));
  if (!seen_.insert(name.str()).second) {
    co_return fail(ErrorCode::invalid, "The upload has two files of the same name.");
  }
  // Publishing finishes the last file; earlier files must not stay open.
  if (!writers_.empty()) {
    CO_TRY_VOID(co_await writers_.back()->finish());
  }
  options.by = author_of(principal_);
  if (folder_.is_on_server() && !options.size_bytes) {
    options.may_collect = [this](std::uint64_t bytes) { return collected_.grow_to(bytes); };
  }
  const bool may_not_replace =
      folder_.mount && folder_.mount->only_adds() && options.if_taken != storage::IfTaken::refuse;
  if (may_not_replace) {
    ResolvedPath target = folder_;
    target.path = folder_.path / name;
    target.is_top = false;
    const auto there = co_await target.backend->stat(target.path);
    if (there) {
      CO_TRY_VOID(co_await access_recheck_.of_present(principal_, target));
      // Whoever may change it may do so meanwhile: that is not for this one to replace.
      if (!options.replaces) options.replaces = version_of(*there);
    }
    if (!there) options.if_taken = storage::IfTaken::refuse;
  }
  CO_TRY(auto writer, co_await folder_.backend->create(folder_.path / name, std::move(options)));
  writers_.push_back(std::move(writer));
  names_.push_back(name.str());
  co_return Result<void>{};
}

Task<Result<void>> Upload::write(std::span<const std::byte> data) {
  if (timer_.is_due()) {
    CO_TRY_VOID(co_await recheck());
  }
  const std::uint64_t received = received_bytes_ + data.size();
  if (received > reservation_.covered_bytes()) {
    auto reserved = co_await reserve(received);
    if (!reserved) co_return std::unexpected(co_await explain(std::move(reserved).error()));
  }
  received_bytes_ = received;
  co_return co_await writers_.back()->write(data);
}

Task<Result<bool>> Upload::adopt(storage::SpoolFile& file) {
  auto adopted = co_await writers_.back()->adopt(file);
  if (adopted && *adopted) received_bytes_ += file.size_bytes();
  co_return adopted;
}

Task<Result<void>> Upload::reserve(std::uint64_t received_bytes) {
  auto step = co_await reservation_.try_grow_to(received_bytes + kReservationStepBytes);
  if (step || step.error().code != ErrorCode::over_quota) co_return step;
  // What is replaced stays as a version, for which older ones go.
  auto exact =
      co_await reservation_.grow_over_versions_to(received_bytes, ahead_of(received_bytes));
  if (exact || exact.error().code != ErrorCode::over_quota) co_return exact;
  auto lent = co_await lend(received_bytes);
  if (lent || lent.error().code != ErrorCode::over_quota) co_return lent;
  co_return co_await reservation_.grow_to(received_bytes);
}

/// Returns how much may well come behind these bytes, up to a step.
std::uint64_t Upload::ahead_of(std::uint64_t received_bytes) const {
  if (!expected_bytes_) return kReservationStepBytes;
  return std::min(kReservationStepBytes,
                  *expected_bytes_ - std::min(*expected_bytes_, received_bytes));
}

/// Covers what does not fit by the files that are replaced. They are known only at the end, so all
/// of the folder count until then.
Task<Result<void>> Upload::lend(std::uint64_t received_bytes) {
  CO_TRY(const auto replaced, co_await replaceable());
  const std::uint64_t bare = received_bytes - std::min(received_bytes, reservation_.bytes());
  if (bare > replaced) {
    CO_TRY_VOID(co_await reservation_.grow_to(received_bytes - replaced));
  }
  const std::uint64_t needed = std::min(bare, replaced);
  auto step = co_await reservation_.lend_to(std::min(needed + kReservationStepBytes, replaced));
  if (step || step.error().code != ErrorCode::over_quota) co_return step;
  co_return co_await reservation_.lend_to(needed);
}

Task<Result<std::vector<storage::Published>>> Upload::publish() {
  if (writers_.empty()) {
    co_return fail(ErrorCode::invalid, "The upload has no file part named \"file\" or \"files\".");
  }
  // Slow work on a server is completed before the rights are checked.
  if (folder_.is_on_server()) {
    CO_TRY_VOID(co_await writers_.back()->finish());
  }
  // Empty files reserve nothing, but may replace others.
  auto held = co_await reservation_.hold();
  if (!held) co_return std::unexpected(co_await explain(std::move(held).error()));
  auto published = co_await show();
  // Near the limit the reservation may be too small, and others may have changed the replaced
  // files: reserve the current need and try again.
  for (int i = 1; i < kPublishTries && !published; ++i) {
    if (published.error().code != ErrorCode::over_quota || has_left_files()) break;
    CO_TRY(const auto needed, co_await growth());
    auto grown = co_await reservation_.grow_to(needed);
    if (!grown) co_return std::unexpected(co_await explain(std::move(grown).error()));
    published = co_await show();
  }
  if (!published) {
    co_await commit_left_files();
    co_return failure_of(std::move(published));
  }
  std::int64_t delta = 0;
  for (const storage::Published& file : *published) delta += growth_of(file);
  CO_TRY_VOID(co_await reservation_.commit(delta));
  co_return published;
}

bool Upload::has_left_files() const {
  return std::ranges::any_of(writers_,
                             [](const auto& writer) { return writer->stayed().has_value(); });
}

/// What a failed publication has replaced and could not take back is counted too.
Task<void> Upload::commit_left_files() {
  if (!folder_.quota_account || !has_left_files()) co_return;
  std::int64_t delta = 0;
  for (const auto& writer : writers_) {
    if (const auto stayed = writer->stayed()) delta += growth_of(*stayed);
  }
  if (delta > 0) {
    // Those that were not replaced would have made room for it.
    const auto grown = co_await reservation_.grow_to(static_cast<std::uint64_t>(delta));
    if (!grown) {
      delta = std::min(delta, static_cast<std::int64_t>(reservation_.bytes()));
      spdlog::warn("what account {} uses is told too low until it is counted again",
                   principal_.account->name);
    }
  }
  const auto committed = co_await reservation_.commit(delta);
  if (!committed) spdlog::error("files that stay are not counted: {}", committed.error().message);
}

Task<std::optional<storage::FileVersion>> Upload::shown_version() {
  return writers_.back()->shown_version();
}

Task<Result<std::vector<storage::Published>>> Upload::show() {
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal_, folder_));
  const storage::MayShow may_show = [this] { return recheck(); };
  co_return co_await folder_.backend->publish(writers_, reservation_.bytes(), may_show);
}

Task<Result<void>> Upload::recheck() {
  std::vector<PlaceChange> changes;
  for (const std::string& name : names_) {
    PlaceChange change = write_of(folder_);
    change.place.path = folder_.path / *Name::parse(name);
    change.place.is_top = false;
    changes.push_back(std::move(change));
  }
  co_return co_await access_recheck_.of_change(principal_, uses_, std::move(changes));
}

Task<Error> Upload::explain(Error error) {
  if (error.code != ErrorCode::not_found) co_return error;
  auto stands = co_await recheck();
  co_return stands ? std::move(error) : std::move(stands).error();
}

Task<Result<std::uint64_t>> Upload::growth() {
  std::uint64_t added = received_bytes_;
  std::uint64_t replaced = 0;
  for (const std::string& name : names_) {
    const Path target = folder_.path / *Name::parse(name);
    const auto entry = co_await folder_.backend->stat(target);
    if (entry && !entry->is_directory) replaced += entry->size_bytes;
    if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  }
  co_return added > replaced ? added - replaced : 0;
}

Task<Result<std::uint64_t>> Upload::replaceable() {
  if (!replaceable_bytes_) {
    CO_TRY(const auto entries, co_await folder_.backend->list(folder_.path));
    replaceable_bytes_ = 0;
    for (const storage::Entry& entry : entries) {
      if (entry.is_directory || (only_name_ && entry.name != *only_name_)) continue;
      *replaceable_bytes_ += entry.size_bytes;
    }
  }
  co_return *replaceable_bytes_;
}

}  // namespace coffer::core
