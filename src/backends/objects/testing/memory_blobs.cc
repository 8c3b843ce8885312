#include "backends/objects/testing/memory_blobs.h"

#include <sodium.h>

#include <algorithm>
#include <stdexcept>

namespace coffer::objects {
namespace {

constexpr std::size_t kMostBytes = 8 * 1024 * 1024;
constexpr std::size_t kMostRemoved = 1000;

std::unexpected<Error> away() {
  return std::unexpected(
      Error{ErrorCode::unready, "The object store does not answer.", std::chrono::seconds(1)});
}

Sha256 sha256_of(std::span<const std::byte> bytes) {
  Sha256 digest;
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return digest;
}

}  // namespace

Task<Result<void>> MemoryBlobs::put(const ObjectId& id, std::span<const std::byte> bytes,
                                    const Sha256& sha256) {
  if (bytes.size() > kMostBytes) throw std::logic_error("an object is too long");
  const std::lock_guard lock(mutex_);
  const auto failure = begin(puts_);
  if (failure == Moment::before_effect) co_return away();
  CO_TRY_VOID(store(id, bytes, sha256));
  if (failure) co_return away();
  co_return Result<void>();
}

Result<void> MemoryBlobs::store(const ObjectId& id, std::span<const std::byte> bytes,
                                const Sha256& sha256) {
  if (sha256_of(bytes) != sha256) return fail(ErrorCode::failed, "The checksum is wrong.");
  if (!names_.insert(id).second) throw std::logic_error("an object's name is used again");
  objects_[id].assign(bytes.begin(), bytes.end());
  return {};
}

Task<Result<void>> MemoryBlobs::read(const ObjectId& id, std::uint64_t offset,
                                     std::span<std::byte> out) {
  const std::lock_guard lock(mutex_);
  if (!begin(reads_)) co_return copy_out(id, offset, out);
  std::ranges::fill(out.first(out.size() / 2), std::byte{0xee});
  co_return away();
}

Result<void> MemoryBlobs::copy_out(const ObjectId& id, std::uint64_t offset,
                                   std::span<std::byte> out) const {
  if (out.empty()) return {};
  const auto found = objects_.find(id);
  if (found == objects_.end()) return fail(ErrorCode::failed, "Contents are missing.");
  const std::span<const std::byte> bytes = found->second;
  if (offset > bytes.size() || bytes.size() - offset < out.size()) {
    return fail(ErrorCode::failed, "Contents are damaged.");
  }
  std::ranges::copy(bytes.subspan(offset, out.size()), out.begin());
  return {};
}

Task<Result<std::vector<ObjectId>>> MemoryBlobs::remove(std::span<const ObjectId> ids) {
  if (ids.size() > kMostRemoved) throw std::logic_error("too many objects to remove");
  const std::lock_guard lock(mutex_);
  const auto failure = begin(removals_);
  if (failure == Moment::before_effect) co_return away();
  std::vector<ObjectId> refused;
  for (const ObjectId& id : ids) {
    if (objects_.contains(id) && locked_.contains(id)) {
      refused.push_back(id);
    } else {
      objects_.erase(id);
    }
  }
  if (failure) co_return away();
  co_return refused;
}

Task<Result<void>> MemoryBlobs::reach() {
  const std::lock_guard lock(mutex_);
  if (is_away_) co_return away();
  co_return Result<void>();
}

void MemoryBlobs::set(Calls& calls, std::size_t nth, Moment moment) {
  calls.fault = Fault{calls.made + nth, moment};
}

std::optional<MemoryBlobs::Moment> MemoryBlobs::begin(Calls& calls) const {
  ++calls.made;
  if (is_away_) return Moment::before_effect;
  if (!calls.fault || calls.fault->at_call != calls.made) return std::nullopt;
  return calls.fault->moment;
}

void MemoryBlobs::fail_put(std::size_t nth, Moment moment) {
  const std::lock_guard lock(mutex_);
  set(puts_, nth, moment);
}

void MemoryBlobs::fail_removal(std::size_t nth, Moment moment) {
  const std::lock_guard lock(mutex_);
  set(removals_, nth, moment);
}

void MemoryBlobs::fail_read(std::size_t nth) {
  const std::lock_guard lock(mutex_);
  set(reads_, nth, Moment::before_effect);
}

void MemoryBlobs::set_away(bool is_away) {
  const std::lock_guard lock(mutex_);
  is_away_ = is_away;
}

std::vector<std::byte>& MemoryBlobs::object(const ObjectId& id) {
  const auto found = objects_.find(id);
  if (found == objects_.end()) throw std::logic_error("no such object");
  return found->second;
}

void MemoryBlobs::lock(const ObjectId& id) {
  const std::lock_guard lock(mutex_);
  locked_.insert(id);
}

void MemoryBlobs::lose(const ObjectId& id) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(object(id));
  objects_.erase(id);
}

void MemoryBlobs::shorten(const ObjectId& id, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto& contents = object(id);
  if (bytes >= contents.size()) throw std::logic_error("the object is not longer");
  contents.resize(bytes);
}

bool MemoryBlobs::contains(const ObjectId& id) const {
  const std::lock_guard lock(mutex_);
  return objects_.contains(id);
}

std::vector<ObjectId> MemoryBlobs::ids() const {
  const std::lock_guard lock(mutex_);
  std::vector<ObjectId> all;
  for (const auto& object : objects_) all.push_back(object.first);
  return all;
}

std::size_t MemoryBlobs::count() const {
  const std::lock_guard lock(mutex_);
  return objects_.size();
}

std::size_t MemoryBlobs::puts() const {
  const std::lock_guard lock(mutex_);
  return puts_.made;
}

std::size_t MemoryBlobs::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_.made;
}

std::size_t MemoryBlobs::removals() const {
  const std::lock_guard lock(mutex_);
  return removals_.made;
}

}  // namespace coffer::objects
