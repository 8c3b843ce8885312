#include "core/files/thumbnail_service.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/text.h"
#include "core/keys/authenticator.h"
#include "storage/entry.h"

namespace coffer::core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostCachedBytes = std::uint64_t{256} * 1024 * 1024;
/// Each has an image in memory, and a program at work.
constexpr std::size_t kAtOnce = 3;
constexpr std::size_t kAtOnceOfAccount = 2;
/// So many images are read from servers at once; they have no place of those above meanwhile.
constexpr std::size_t kReadingAtOnce = 4;
constexpr std::size_t kReadingOfAccount = 1;
constexpr std::chrono::seconds kReadingTime{20};
/// So many of an account have their turn or wait for it, before others are sent away.
constexpr int kMostWaiting = 32;
constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

/// Accounts see nothing of each other's by it, and a file that was changed has another.
std::string key_of(const Principal& principal, const Path& path, const storage::Entry& entry,
                   unsigned pixels) {
  const Path whole = principal.whole(path);
  const auto version = storage::version_of(entry);
  return to_hex(hash_secret(fmt::format(
      "thumbnail {} {} {} {} {}\n{}", principal.account->id.value, pixels, version.size_bytes,
      version.modified_at.time_since_epoch().count(), version.file_id, whole.str())));
}

bool may_have_one(const storage::Entry& entry) {
  return entry.size_bytes > 0 && entry.size_bytes <= ThumbnailService::kLargestFileBytes;
}

std::optional<thumbnails::ImageProgram> find_program() {
  auto program = thumbnails::ImageProgram::find();
  if (!program) {
    spdlog::info("there are no thumbnails: vipsthumbnail is missing, or cannot be confined here");
  }
  return program;
}

/// Returns false if the content begins as no image does: then the rest is not read. Looks at the
/// deadline between the pieces, each of which has a deadline of its backend.
Task<Result<bool>> read_into(storage::Reader& reader, thumbnails::MemoryFile& file,
                             std::optional<Clock::time_point> deadline = {}) {
  std::vector<std::byte> piece(kPieceBytes);
  for (std::uint64_t offset = 0; offset < reader.entry().size_bytes;) {
    CO_TRY(const auto got, co_await reader.read(offset, piece));
    if (got == 0) break;
    if (offset == 0 && !thumbnails::is_image(std::span(piece).first(got))) co_return false;
    if (deadline && Clock::now() > *deadline) {
      co_return fail(ErrorCode::timed_out, "The server is too slow for a thumbnail of this image.");
    }
    if (!file.append(std::span(piece).first(got))) {
      co_return fail(ErrorCode::overloaded,
                     "There is no memory for an image now. Try again later.");
    }
    offset += got;
  }
  co_return true;
}

std::unexpected<Error> unwanted() {
  return fail(ErrorCode::conflict, "Nobody waits for it any more.");
}

}  // namespace

ThumbnailService::ThumbnailService(Files& files, WorkPools& pools, std::filesystem::path folder)
    : files_(files),
      pools_(pools),
      program_(find_program()),
      cache_(std::move(folder), kMostCachedBytes),
      reading_(kReadingAtOnce, kReadingOfAccount),
      slots_(kAtOnce, kAtOnceOfAccount),
      pool_(kAtOnce) {}

Task<Result<Thumbnail>> ThumbnailService::of(const Principal& principal, const Path& path,
                                             unsigned pixels,
                                             const std::function<bool()>& is_unwanted) {
  CO_TRY(auto file, co_await files_.open(principal, path));
  const storage::Entry& entry = file.reader->entry();
  Thumbnail thumbnail;
  thumbnail.key = key_of(principal, path, entry, pixels);
  if (!program_ || !may_have_one(entry)) co_return thumbnail;
  CO_TRY_VOID(co_await make(principal.account->id, file, pixels, is_unwanted, thumbnail));
  co_return thumbnail;
}

/// Counts one of an account while it lives.
class ThumbnailService::Turn {
 public:
  Turn(ThumbnailService& service, AccountId account) : service_(service), account_(account) {
    const std::lock_guard lock(service_.mutex_);
    count_ = ++service_.waiting_[account_];
  }
  ~Turn() {
    const std::lock_guard lock(service_.mutex_);
    if (--service_.waiting_[account_] == 0) service_.waiting_.erase(account_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  int count() const { return count_; }

 private:
  ThumbnailService& service_;
  const AccountId account_;
  int count_ = 0;
};

Task<Result<void>> ThumbnailService::make(AccountId account, OpenFile& file, unsigned pixels,
                                          const std::function<bool()>& is_unwanted,
                                          Thumbnail& thumbnail) {
  auto look = [&] {
    auto known = cache_.find(thumbnail.key);
    if (!known) return false;
    if (!known->empty()) thumbnail.image = *std::move(known);
    return true;
  };
  Pool& brief = pools_.of(account).brief;
  if (co_await brief.run(look)) co_return Result<void>{};
  const Turn turn(*this, account);
  if (turn.count() > kMostWaiting) {
    Error busy{ErrorCode::overloaded, "Too many thumbnails are requested. Try again soon."};
    busy.retry_after = std::chrono::seconds(1);
    co_return std::unexpected(std::move(busy));
  }
  thumbnails::MemoryFile image;
  bool is_image = false;
  std::optional<AccountSlots::Slot> reading;
  if (file.is_on_server) {
    AccountSlots::Waiter reader(account);
    reading = co_await reading_.enter(reader);
    if (is_unwanted()) co_return unwanted();
    CO_TRY(is_image, co_await read_into(*file.reader, image, Clock::now() + kReadingTime));
  }
  AccountSlots::Waiter waiter(account);
  const auto slot = co_await slots_.enter(waiter);
  if (is_unwanted()) co_return unwanted();
  // Another may have made it meanwhile.
  if (co_await brief.run(look)) co_return Result<void>{};
  if (!file.is_on_server) {
    CO_TRY(is_image, co_await read_into(*file.reader, image));
  }
  auto work = [&]() -> Result<void> {
    std::optional<std::string> small;
    if (is_image) {
      TRY(small, program_->shrink(image, pixels));
    }
    cache_.store(thumbnail.key, small.value_or(""));
    thumbnail.image = std::move(small);
    return {};
  };
  co_return co_await pool_.run(work);
}

}  // namespace coffer::core
