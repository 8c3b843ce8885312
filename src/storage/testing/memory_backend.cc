#include "storage/testing/memory_backend.h"

#include <algorithm>
#include <cassert>

#include "storage/testing/memory_tree.h"

namespace coffer::storage {
namespace {

class MemoryReader final : public Reader {
 public:
  MemoryReader(Entry entry, Content content)
      : entry_(std::move(entry)), content_(std::move(content)) {}

  const Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    co_return copy_out(offset, out);
  }
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    return copy_out(offset, out);
  }
  std::optional<int> descriptor() const override { return std::nullopt; }

 private:
  std::size_t copy_out(std::uint64_t offset, std::span<std::byte> out) const {
    if (offset >= content_->size()) return 0;
    const auto count = std::min<std::size_t>(out.size(), content_->size() - offset);
    std::copy_n(content_->begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }

  const Entry entry_;
  const Content content_;
};

class MemoryWriter final : public Writer {
 public:
  MemoryWriter(Path target, WriteOptions options) : target_(std::move(target)), options_(options) {}

  Task<Result<void>> write(std::span<const std::byte> data) override {
    assert(!finished_);
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    co_return Result<void>();
  }
  std::uint64_t written_bytes() const override { return bytes_.size(); }
  Task<Result<void>> finish() override {
    finished_ = true;
    co_return Result<void>();
  }

  MemoryFile file(const Path& base) const {
    return {base / target_, options_, std::make_shared<std::vector<std::byte>>(bytes_),
            options_.modified_at.value_or(now())};
  }

 private:
  const Path target_;
  const WriteOptions options_;
  std::vector<std::byte> bytes_;
  bool finished_ = false;
};

}  // namespace

MemoryBackend::MemoryBackend() : MemoryBackend(std::make_shared<MemoryTree>(), Path()) {}

MemoryBackend::MemoryBackend(std::shared_ptr<MemoryTree> tree, Path base)
    : tree_(std::move(tree)), base_(std::move(base)) {}

MemoryBackend::~MemoryBackend() = default;

Task<Result<Path>> MemoryBackend::canonical(const Path& path) {
  co_return path;
}

std::unique_ptr<Backend> MemoryBackend::beneath(const Path& folder) {
  return std::unique_ptr<Backend>(new MemoryBackend(tree_, base_ / folder));
}

std::optional<Entry> MemoryBackend::stat_now(const Path& path) {
  auto entry = tree_->stat(base_ / path);
  if (!entry) return std::nullopt;
  if (path.is_root()) entry->name.clear();
  return *std::move(entry);
}

Task<Result<Entry>> MemoryBackend::stat(const Path& path) {
  auto entry = tree_->stat(base_ / path);
  if (entry && path.is_root()) entry->name.clear();
  co_return entry;
}

Task<Result<FolderListing>> MemoryBackend::read_folder(const Path& folder, ListingBound bound) {
  CO_TRY(auto entries, tree_->list(base_ / folder));
  for (const Entry& entry : entries) {
    if (bound && !bound(memory_of(entry))) co_return listing_too_large();
  }
  co_return FolderListing{.entries = std::move(entries)};
}

std::unique_ptr<Reader> MemoryBackend::open_now(const Path& file) {
  auto opened = tree_->open(base_ / file);
  if (!opened) return nullptr;
  return std::make_unique<MemoryReader>(std::move(opened->first), std::move(opened->second));
}

Task<Result<std::unique_ptr<Reader>>> MemoryBackend::open(const Path& file) {
  auto opened = tree_->open(base_ / file);
  if (!opened) co_return failure_of(opened);
  co_return std::make_unique<MemoryReader>(std::move(opened->first), std::move(opened->second));
}

Task<Result<std::unique_ptr<Writer>>> MemoryBackend::create(const Path& target,
                                                            WriteOptions options) {
  if (auto may = tree_->check_target(base_ / target, options); !may) {
    co_return failure_of(may);
  }
  co_return std::make_unique<MemoryWriter>(target, options);
}

Task<Result<std::vector<Published>>> MemoryBackend::publish(
    std::span<const std::unique_ptr<Writer>> writers, std::uint64_t growth_limit_bytes,
    MayShow may_show) {
  CO_TRY_VOID(co_await ask(may_show));
  std::vector<MemoryFile> files;
  for (const auto& writer : writers) {
    files.push_back(dynamic_cast<const MemoryWriter&>(*writer).file(base_));
  }
  co_return tree_->publish(files, growth_limit_bytes);
}

Task<Result<void>> MemoryBackend::make_folder(const Path& folder) {
  co_return tree_->make_folder(base_ / folder);
}

Task<Result<void>> MemoryBackend::rename(const Path& from, const Path& to, MayShow may_show) {
  CO_TRY_VOID(co_await ask(may_show));
  if (from.is_root() || to.is_root()) {
    co_return fail(ErrorCode::forbidden, "The top folder itself cannot be changed.");
  }
  co_return tree_->rename(base_ / from, base_ / to);
}

Task<Result<TreeSize>> MemoryBackend::copy(const Path& from, const Path& to,
                                           const CopyOptions& options) {
  if (options.may_show) {
    // The copy itself is one step.
    const auto may = co_await options.may_show();
    if (!may) co_return failure_of(may);
  }
  co_return tree_->copy(base_ / from, base_ / to, options);
}

Task<Result<Removed>> MemoryBackend::remove(const Path& path) {
  if (path.is_root()) {
    co_return fail(ErrorCode::forbidden, "The top folder itself cannot be changed.");
  }
  co_return tree_->remove(base_ / path);
}

Task<Result<TreeSize>> MemoryBackend::measure(const Path& path) {
  co_return tree_->measure(base_ / path);
}

}  // namespace coffer::storage
