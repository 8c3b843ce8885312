#include "core/uploads/upload_reception.h"

#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace coffer::core {
namespace {

void require(int done) {
  if (done != 1) throw std::runtime_error("A digest cannot be made.");
}

const EVP_MD* algorithm_of(DigestKind kind) {
  return kind == DigestKind::sha1 ? EVP_sha1() : EVP_sha256();
}

/// The least size of a write except a request's last one: each costs a thread switch and a system
/// call. A client that sends slowly holds so much memory.
constexpr std::size_t kLeastWriteBytes = 128 * 1024;
/// The most bytes of a request that a crash may lose.
constexpr std::uint64_t kReportBytes = 32 * 1024 * 1024;
/// What is held ahead of the bytes of a request: each time costs a transaction.
constexpr std::uint64_t kHeldAheadBytes = 8 * 1024 * 1024;

}  // namespace

std::size_t digest_bytes(DigestKind kind) {
  return kind == DigestKind::sha1 ? 20 : 32;
}

class ContentDigest::Impl {
 public:
  explicit Impl(DigestKind kind) {
    require(EVP_DigestInit_ex(context_.get(), algorithm_of(kind), nullptr));
  }
  EVP_MD_CTX* context() { return context_.get(); }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

ContentDigest::ContentDigest(DigestKind kind) : impl_(std::make_unique<Impl>(kind)) {}

ContentDigest::~ContentDigest() = default;

void ContentDigest::add(std::span<const std::byte> data) {
  require(EVP_DigestUpdate(impl_->context(), data.data(), data.size()));
}

std::string ContentDigest::finish() {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  auto* const out = reinterpret_cast<unsigned char*>(digest.data());
  require(EVP_DigestFinal_ex(impl_->context(), out, &size));
  digest.resize(size);
  return digest;
}

UploadReception::UploadReception(catalog::Uploads& uploads, const catalog::UploadRecord& upload,
                                 storage::SpoolFile& file, std::optional<WantedChecksum> checksum,
                                 Pool& pool, Hold hold)
    : uploads_(uploads),
      upload_(upload),
      file_(file),
      checksum_(std::move(checksum)),
      pool_(pool),
      hold_(std::move(hold)),
      held_bytes_(upload.quota_bytes + upload.room_bytes),  // One of them is 0.
      reported_bytes_(file.size_bytes()) {
  if (checksum_) digest_.emplace(checksum_->kind);
}

std::uint64_t UploadReception::countable_bytes() const {
  const std::uint64_t most = std::max<std::uint64_t>(upload_.length_bytes, 1) - 1;
  return std::min(file_.size_bytes(), most);
}

Task<Result<UploadRefusal>> UploadReception::receive(UploadSource& source) {
  auto end = co_await collect(source);
  if (checksum_) co_return co_await keep_checked(std::move(end));
  co_return co_await keep(std::move(end));
}

Task<Result<UploadRefusal>> UploadReception::collect(UploadSource& source) {
  for (;;) {
    const auto data = co_await source.read();
    const bool is_end = !data || data->empty();
    const std::uint64_t left = upload_.length_bytes - file_.size_bytes() - collected_.size();
    const bool is_too_long = !is_end && data->size() > left;
    const bool is_taken = !is_end && !is_too_long;
    const bool is_large = is_taken && data->size() >= kLeastWriteBytes;
    if (is_taken && !is_large) collected_.insert(collected_.end(), data->begin(), data->end());
    if (!is_taken || is_large || collected_.size() >= kLeastWriteBytes) {
      CO_TRY_VOID(co_await store(collected_));
      collected_.clear();
    }
    if (is_large) CO_TRY_VOID(co_await store(*data));
    if (is_too_long) co_return UploadRefusal::too_long;
    if (!data) co_return failure_of(data);
    if (is_end) co_return UploadRefusal::none;
  }
}

Task<Result<void>> UploadReception::store(std::span<const std::byte> bytes) {
  if (bytes.empty()) co_return Result<void>{};
  CO_TRY_VOID(co_await hold_for(file_.size_bytes() + bytes.size()));
  CO_TRY_VOID(co_await file_.append(bytes));
  if (digest_) {
    auto add = [this, bytes] { digest_->add(bytes); };
    co_await pool_.run(std::move(add));
  }
  if (digest_ || file_.size_bytes() - reported_bytes_ < kReportBytes) co_return Result<void>{};
  co_return co_await report();
}

Task<Result<void>> UploadReception::hold_for(std::uint64_t bytes) {
  if (!hold_ || bytes <= held_bytes_) co_return Result<void>{};
  auto ahead = co_await hold_exactly(std::min(bytes + kHeldAheadBytes, upload_.length_bytes));
  if (ahead || ahead.error().code != ErrorCode::over_quota) co_return ahead;
  co_return co_await hold_exactly(bytes);
}

Task<Result<void>> UploadReception::hold_exactly(std::uint64_t bytes) {
  if (!hold_ || bytes == held_bytes_) co_return Result<void>{};
  auto held = co_await hold_(bytes);
  if (held) held_bytes_ = bytes;
  co_return held;
}

Task<Result<void>> UploadReception::report() {
  CO_TRY_VOID(co_await file_.sync());
  reported_bytes_ = file_.size_bytes();
  co_return co_await uploads_.report_received(upload_.account, upload_.held(), countable_bytes());
}

/// Keeps the received bytes of a failed request too.
Task<Result<UploadRefusal>> UploadReception::keep(Result<UploadRefusal> end) {
  auto safe = co_await file_.sync();
  const bool is_finished_next = end && *end == UploadRefusal::none && is_complete();
  if (safe && !is_finished_next) safe = co_await hold_exactly(file_.size_bytes());
  if (safe && !is_finished_next) {
    safe = co_await uploads_.note_received(upload_.account, upload_.held(), countable_bytes());
  }
  if (!safe) co_return failure_of(std::move(safe));
  co_return end;
}

Task<Result<UploadRefusal>> UploadReception::keep_checked(Result<UploadRefusal> end) {
  const bool is_whole = end && *end == UploadRefusal::none;
  if (is_whole && digest_->finish() == checksum_->bytes) co_return co_await keep(std::move(end));
  CO_TRY_VOID(co_await file_.truncate(upload_.received_bytes));
  CO_TRY_VOID(co_await hold_exactly(file_.size_bytes()));
  if (is_whole) co_return UploadRefusal::differs;
  co_return end;
}

}  // namespace coffer::core
