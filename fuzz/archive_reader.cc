#include "core/archive/archive_reader.h"

#include <algorithm>
#include <cstring>

#include "check.h"
#include "core/archive/packed_item.h"
#include "core/archive/unpack_frames.h"

namespace {

using namespace coffer;

/// Holds what an archive says to what is promised of it.
class Host final : public core::ArchiveHost {
 public:
  Host(std::string_view archive, bool wants_all) : archive_(archive), wants_all_(wants_all) {}

  std::uint64_t size_bytes() const override { return archive_.size(); }

  std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) override {
    // Packed zeros go on for long.
    if (content_bytes_ > kMostContentBytes) return std::nullopt;
    const std::size_t at = std::min<std::uint64_t>(offset, archive_.size());
    const std::size_t count = std::min(out.size(), archive_.size() - at);
    std::memcpy(out.data(), archive_.data() + at, count);
    return count;
  }

  bool wants(const core::PackedItem& item) override {
    fuzz::check(!is_open_);
    if (item.name.size() < 1000) fuzz::check(core::decode_item(core::encode(item)) == item);
    if (const auto place = core::place_of(item.name)) {
      fuzz::check(Path::parse(place->str()) == *place);
      fuzz::check(place->depth() <= core::kMostPackedFolders);
    }
    item_ = item;
    item_bytes_ = 0;
    is_open_ = wants_all_ && item.kind == core::PackedItem::Kind::file;
    return wants_all_;
  }

  void add(std::span<const std::byte> content) override {
    fuzz::check(is_open_ && !content.empty());
    item_bytes_ += content.size();
    content_bytes_ += content.size();
  }

  void end_item() override {
    fuzz::check(is_open_ && (!item_.size_bytes || *item_.size_bytes == item_bytes_));
    is_open_ = false;
  }

  void break_item(std::string_view reason) override {
    const Error error{ErrorCode::invalid, std::string(reason)};
    fuzz::check(is_open_ && core::decode_failure(core::encode(error)) == error);
    is_open_ = false;
  }

 private:
  static constexpr std::uint64_t kMostContentBytes = std::uint64_t{32} * 1024 * 1024;

  const std::string_view archive_;
  const bool wants_all_;
  core::PackedItem item_;
  bool is_open_ = false;
  std::uint64_t item_bytes_ = 0;
  std::uint64_t content_bytes_ = 0;
};

}  // namespace

/// Whatever an archive is, what is said of it can be passed on. The first byte says whether its
/// content is wanted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Host host(fuzz::to_text(data + 1, size - 1), data[0] % 2 == 0);
  const core::ArchiveBounds bounds{.items = 1000, .stream_bytes = std::uint64_t{32} << 20};
  const auto done = core::read_archive(host, bounds);
  if (!done) fuzz::check(core::decode_failure(core::encode(done.error())) == done.error());
  return 0;
}
