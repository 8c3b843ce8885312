#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace coffer::thumbnails {

/// A cache of thumbnails in a folder. A key has 64 lower-case hexadecimal digits. For each key, the
/// cache stores a thumbnail, or the fact that there is no thumbnail. If the cache would exceed its
/// limit, it deletes the least recently used entries. An entry counts as missing if it is damaged
/// or could not be stored. Safe from any thread; the calls may block.
class ThumbnailCache {
 public:
  /// Keeps the entries that are in the folder already, and deletes all other files there. Creates
  /// the folder if it is missing. `most_bytes` is the limit for the bytes on the disk.
  ThumbnailCache(std::filesystem::path folder, std::uint64_t most_bytes);

  /// Returns the thumbnail that is stored for the key. Returns an empty text if the cache has
  /// stored that there is no thumbnail, and nullopt if it has no entry.
  std::optional<std::string> find(const std::string& key);
  /// Stores the thumbnail for the key. An empty text stores that there is no thumbnail.
  void store(const std::string& key, std::string_view image);

  /// Returns the bytes that the entries take on the disk.
  std::uint64_t bytes() const;

 private:
  struct Item {
    std::string key;
    std::uint64_t bytes = 0;
  };
  using Items = std::list<Item>;

  void take_over();
  void add(const std::string& key, std::uint64_t bytes);
  void remove(Items::iterator item);
  bool write(const std::string& key, std::string_view text) const;

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  mutable std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  Items items_;  ///< The most recently used item comes first.
  std::unordered_map<std::string, Items::iterator> by_key_;
};

}  // namespace coffer::thumbnails
