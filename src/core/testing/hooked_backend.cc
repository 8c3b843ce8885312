#include "core/testing/hooked_backend.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <utility>

namespace coffer::core {
namespace {

constexpr int kTurns = 3;

Task<void> give_way() {
  const auto executor = co_await asio::this_coro::executor;
  for (int i = 0; i < kTurns; ++i) co_await asio::post(executor, asio::use_awaitable);
}

class HookedReader final : public storage::Reader {
 public:
  HookedReader(std::unique_ptr<storage::Reader> inner, Path file, Hooks& hooks, Seen& seen)
      : inner_(std::move(inner)),
        file_(std::move(file)),
        hooks_(hooks),
        seen_(seen),
        entry_(inner_->entry()) {
    seen_.most_readers = std::max(seen_.most_readers, ++seen_.readers);
    if (hooks_.show) hooks_.show(file_, entry_);
  }
  ~HookedReader() override { --seen_.readers; }

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    seen_.blocks.insert(out.data());
    seen_.largest_read_bytes = std::max(seen_.largest_read_bytes, out.size());
    co_await give_way();
    if (hooks_.read) {
      if (auto error = hooks_.read(file_, offset, out)) co_return std::unexpected(*error);
    }
    co_return co_await inner_->read(offset, out);
  }
  std::optional<std::size_t> read_now(std::uint64_t, std::span<std::byte>) override {
    return std::nullopt;
  }
  std::optional<int> descriptor() const override { return std::nullopt; }

 private:
  std::unique_ptr<storage::Reader> inner_;
  Path file_;
  Hooks& hooks_;
  Seen& seen_;
  storage::Entry entry_;
};

class HookedWriter final : public storage::Writer {
 public:
  HookedWriter(std::unique_ptr<storage::Writer> inner, Hooks& hooks, Seen& seen)
      : inner_(std::move(inner)), hooks_(hooks), seen_(seen) {}

  Task<Result<void>> write(std::span<const std::byte> data) override {
    ++seen_.writes;
    co_await give_way();
    std::optional<Error> error;
    if (hooks_.write) error = hooks_.write(inner_->written_bytes());
    --seen_.writes;
    if (error) co_return std::unexpected(*error);
    co_return co_await inner_->write(data);
  }
  std::uint64_t written_bytes() const override { return inner_->written_bytes(); }
  std::string_view staged_name() const override { return inner_->staged_name(); }
  Task<Result<void>> finish() override { return inner_->finish(); }
  std::optional<storage::Published> stayed() const override { return inner_->stayed(); }
  Task<storage::ItemIdentity> identity() override { return inner_->identity(); }
  Task<void> abandon() override {
    ++seen_.abandoned;
    co_await give_way();
    co_await inner_->abandon();
  }

  std::unique_ptr<storage::Writer>& inner() { return inner_; }

 private:
  std::unique_ptr<storage::Writer> inner_;
  Hooks& hooks_;
  Seen& seen_;
};

}  // namespace

template <class T>
Task<Result<T>> HookedBackend::call(std::string_view name, const Path& path,
                                    Task<Result<T>> inner) {
  ++seen.calls[std::string(name)];
  co_await give_way();
  if (hooks.before) {
    if (auto error = hooks.before(name, path)) co_return std::unexpected(*error);
  }
  auto result = co_await std::move(inner);
  if (hooks.after) {
    if (auto error = hooks.after(name, path)) co_return std::unexpected(*error);
  }
  co_return result;
}

Task<Result<storage::Entry>> HookedBackend::stat(const Path& path) {
  auto entry = co_await call("stat", path, inner_.stat(path));
  if (entry && hooks.show) hooks.show(path, *entry);
  co_return entry;
}

Task<Result<storage::FolderListing>> HookedBackend::read_folder(const Path& folder,
                                                                storage::ListingBound bound) {
  seen.most_lists = std::max(seen.most_lists, ++seen.lists);
  auto listing = co_await call("list", folder, inner_.read_folder(folder));
  --seen.lists;
  if (!listing) co_return listing;
  if (hooks.hides && hooks.hides(folder)) ++listing->left_out;
  for (storage::Entry& entry : listing->entries) {
    if (hooks.show) hooks.show(folder / Path::parse(entry.name).value(), entry);
  }
  if (hooks.list) hooks.list(folder, listing->entries);
  for (const storage::Entry& entry : listing->entries) {
    if (bound && !bound(memory_of(entry))) co_return storage::listing_too_large();
  }
  co_return listing;
}

Task<Result<std::unique_ptr<storage::Reader>>> HookedBackend::open(const Path& file) {
  auto reader = co_await call("open", file, inner_.open(file));
  if (!reader) co_return reader;
  co_return std::make_unique<HookedReader>(*std::move(reader), file, hooks, seen);
}

Task<std::vector<std::unique_ptr<storage::Reader>>> HookedBackend::open_together(
    const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& /*watch*/) {
  seen.together.push_back(files.size());
  co_await give_way();
  std::vector<std::unique_ptr<storage::Reader>> readers;
  for (const storage::Entry& entry : files) {
    const Path file = folder / Path::parse(entry.name).value();
    auto& reader = readers.emplace_back();
    if (!hooks.together(file)) continue;
    auto opened = co_await inner_.open(file);
    if (opened) reader = std::make_unique<HookedReader>(*std::move(opened), file, hooks, seen);
  }
  co_return readers;
}

Task<Result<std::unique_ptr<storage::Writer>>> HookedBackend::create(
    const Path& target, storage::WriteOptions options) {
  seen.options.push_back(options);
  auto writer = co_await call("create", target, inner_.create(target, std::move(options)));
  if (!writer) co_return writer;
  co_return std::make_unique<HookedWriter>(*std::move(writer), hooks, seen);
}

Task<Result<std::vector<storage::Published>>> HookedBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  const Path none;
  std::vector<std::unique_ptr<storage::Writer>> inner;
  for (const auto& writer : writers) {
    inner.push_back(std::move(dynamic_cast<HookedWriter&>(*writer).inner()));
  }
  auto published = co_await call("publish", none, inner_.publish(inner, growth_limit_bytes));
  for (std::size_t i = 0; i < inner.size(); ++i) {
    dynamic_cast<HookedWriter&>(*writers[i]).inner() = std::move(inner[i]);
  }
  co_return published;
}

Task<Result<void>> HookedBackend::make_folder(const Path& folder) {
  co_return co_await call("make_folder", folder, inner_.make_folder(folder));
}

Task<Result<void>> HookedBackend::rename(const Path& from, const Path& to,
                                         storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  co_return co_await call("rename", from, inner_.rename(from, to));
}

Task<Result<storage::TreeSize>> HookedBackend::copy(const Path& from, const Path& to,
                                                    const storage::CopyOptions& options) {
  co_return co_await call("copy", from, inner_.copy(from, to, options));
}

Task<Result<storage::Removed>> HookedBackend::remove(const Path& path) {
  co_return co_await call("remove", path, inner_.remove(path));
}

Task<Result<storage::TreeSize>> HookedBackend::measure(const Path& path) {
  co_return co_await call("measure", path, inner_.measure(path));
}

Task<Result<Path>> HookedBackend::canonical(const Path& path) {
  co_return co_await call("canonical", path, inner_.canonical(path));
}

std::unique_ptr<storage::Backend> HookedBackend::beneath(const Path& folder) {
  return inner_.beneath(folder);
}

}  // namespace coffer::core
