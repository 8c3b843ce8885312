#include "thumbnails/thumbnail_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "base/text.h"

namespace coffer::thumbnails {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNone = "none\n";
constexpr std::uint64_t kBlockBytes = 4096;
constexpr std::size_t kKeyDigits = 64;
constexpr std::string_view kUnfinished = "new-";
constexpr std::size_t kUnfinishedBytes = 8;

std::uint64_t on_disk(std::uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

bool is_unfinished(std::string_view name) {
  return name.starts_with(kUnfinished) &&
         is_hex(name.substr(kUnfinished.size()), 2 * kUnfinishedBytes);
}

/// A power cut can leave a file cut short, or full of zeros; WebP tells its own length (RFC 9649,
/// section 2.4).
bool is_whole(std::string_view text) {
  if (text == kNone) return true;
  if (text.size() < 12 || !text.starts_with("RIFF")) return false;
  std::uint32_t length = 0;
  std::memcpy(&length, text.data() + 4, sizeof length);
  if constexpr (std::endian::native == std::endian::big) length = __builtin_bswap32(length);
  return text.size() == std::size_t{length} + 8;
}

std::optional<std::string> read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.good() && !in.eof()) return std::nullopt;
  return is_whole(text) ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

ThumbnailCache::ThumbnailCache(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {
  std::error_code error;
  if (fs::create_directory(folder_, error)) {
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
  if (error) spdlog::warn("thumbnails cannot be stored: {}", error.message());
  take_over();
}

void ThumbnailCache::take_over() {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    if (is_unfinished(name)) fs::remove(entry.path(), error);
    if (is_hex(name, kKeyDigits)) found.emplace_back(entry.last_write_time(error), entry.path());
  }
  std::ranges::sort(found);
  for (const auto& [time, path] : found) {
    const auto bytes = fs::file_size(path, error);
    if (!error) add(path.filename().native(), bytes);
  }
}

std::optional<std::string> ThumbnailCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  auto text = read(folder_ / key);
  if (!text) {
    remove(found->second);
    return std::nullopt;
  }
  items_.splice(items_.begin(), items_, found->second);
  return *text == kNone ? std::string() : std::move(text);
}

void ThumbnailCache::store(const std::string& key, std::string_view image) {
  const std::lock_guard lock(mutex_);
  const std::string_view text = image.empty() ? kNone : image;
  if (on_disk(text.size()) > most_bytes_ || !write(key, text)) return;
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    bytes_ -= known->second->bytes;
    items_.erase(known->second);
    by_key_.erase(known);
  }
  add(key, text.size());
}

bool ThumbnailCache::write(const std::string& key, std::string_view text) const {
  const fs::path unfinished = folder_ / (std::string(kUnfinished) + random_hex(kUnfinishedBytes));
  std::error_code error;
  std::ofstream out(unfinished, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) fs::rename(unfinished, folder_ / key, error);
  if (out && !error) return true;
  fs::remove(unfinished, error);
  spdlog::warn("a thumbnail could not be stored");
  return false;
}

void ThumbnailCache::add(const std::string& key, std::uint64_t bytes) {
  items_.push_front({key, on_disk(bytes)});
  by_key_[key] = items_.begin();
  bytes_ += items_.front().bytes;
  while (bytes_ > most_bytes_) remove(std::prev(items_.end()));
}

void ThumbnailCache::remove(Items::iterator item) {
  std::error_code error;
  fs::remove(folder_ / item->key, error);
  bytes_ -= item->bytes;
  by_key_.erase(item->key);
  items_.erase(item);
}

std::uint64_t ThumbnailCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace coffer::thumbnails
