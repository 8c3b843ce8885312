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

/// Small images in a folder of their own, by a key in lower-case hexadecimal digits, and which keys
/// have none. What was used least lately goes where the bytes on disk would exceed the bound. What
/// cannot be stored, or is not whole, is as if it had never been. Safe from any thread; the calls
/// may block.
class ThumbnailCache {
 public:
  /// Takes over what is there; removes what is not its own.
  ThumbnailCache(std::filesystem::path folder, std::uint64_t most_bytes);

  /// The image; an empty text where there is none to be had; nothing where that is not known.
  std::optional<std::string> find(const std::string& key);
  /// An empty text says that there is none to be had.
  void store(const std::string& key, std::string_view image);

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
  Items items_;  ///< The one used last comes first.
  std::unordered_map<std::string, Items::iterator> by_key_;
};

}  // namespace coffer::thumbnails
