#include "core/connectors/guarded_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "base/folding.h"
#include "storage/partial_name.h"

namespace coffer::core {

namespace {

using Breaker = std::shared_ptr<const CircuitBreaker>;
using Mode = catalog::PlaceLocks::Mode;

using OpenAgain = std::function<Task<Result<std::unique_ptr<storage::Reader>>>()>;

/// Between two reads: servers end connections that stand still for some time.
constexpr std::chrono::seconds kPause{10};

/// True if the server, or the line to it, may have ended what stood still.
bool ends_a_pause(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

class GuardedReader final : public storage::Reader {
 public:
  /// `open` opens the file again; null if that makes no sense.
  GuardedReader(std::unique_ptr<storage::Reader> inner, Breaker breaker, OpenAgain open = nullptr)
      : inner_(std::move(inner)),
        breaker_(std::move(breaker)),
        open_(std::move(open)),
        entry_(inner_->entry()),
        last_read_(breaker_->now()) {}

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    const bool has_paused = open_ && breaker_->now() - last_read_ > kPause;
    auto count = co_await inner_->read(offset, out);
    if (!count && has_paused && ends_a_pause(count.error())) {
      count = co_await read_again(offset, out, std::move(count).error());
    }
    last_read_ = breaker_->now();
    if (count) co_return count;
    co_return std::unexpected(breaker_->labelled(std::move(count).error()));
  }
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    return inner_->read_now(offset, out);
  }
  std::optional<int> descriptor() const override { return inner_->descriptor(); }

 private:
  Task<Result<std::size_t>> read_again(std::uint64_t offset, std::span<std::byte> out,
                                       Error error) {
    CO_TRY(auto again, co_await open_());
    const bool is_same = storage::version_of(again->entry()) == storage::version_of(entry_);
    if (!is_same) co_return std::unexpected(std::move(error));
    inner_ = std::move(again);
    co_return co_await inner_->read(offset, out);
  }

  std::unique_ptr<storage::Reader> inner_;
  const Breaker breaker_;
  const OpenAgain open_;
  const storage::Entry entry_;
  CircuitBreaker::Clock::time_point last_read_;
};

class GuardedWriter final : public storage::Writer {
 public:
  GuardedWriter(std::unique_ptr<storage::Writer> inner, Breaker breaker, Path target)
      : inner_(std::move(inner)), breaker_(std::move(breaker)), target_(std::move(target)) {}

  Task<Result<void>> write(std::span<const std::byte> data) override {
    co_return labelled(co_await inner_->write(data));
  }
  std::uint64_t written_bytes() const override { return inner_->written_bytes(); }
  std::string_view staged_name() const override { return inner_->staged_name(); }
  Task<Result<void>> finish() override { co_return labelled(co_await inner_->finish()); }
  std::optional<storage::Published> stayed() const override { return inner_->stayed(); }
  Task<storage::ItemIdentity> identity() override { return inner_->identity(); }
  Task<void> abandon() override { return inner_->abandon(); }

  std::unique_ptr<storage::Writer>& inner() { return inner_; }
  const Path& target() const { return target_; }

 private:
  Result<void> labelled(Result<void> result) const {
    if (result) return result;
    return std::unexpected(breaker_->labelled(std::move(result).error()));
  }

  std::unique_ptr<storage::Writer> inner_;
  const Breaker breaker_;
  const Path target_;
};

GuardedWriter& as_guarded(storage::Writer& writer) {
  return dynamic_cast<GuardedWriter&>(writer);
}

/// The inner writers of guarded ones, which get them back at the end.
class InnerWriters {
 public:
  explicit InnerWriters(std::span<const std::unique_ptr<storage::Writer>> guarded)
      : guarded_(guarded) {
    for (const auto& writer : guarded_) inner_.push_back(std::move(as_guarded(*writer).inner()));
  }
  ~InnerWriters() {
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      as_guarded(*guarded_[i]).inner() = std::move(inner_[i]);
    }
  }
  InnerWriters(const InnerWriters&) = delete;
  InnerWriters& operator=(const InnerWriters&) = delete;

  std::span<const std::unique_ptr<storage::Writer>> get() const { return inner_; }

 private:
  const std::span<const std::unique_ptr<storage::Writer>> guarded_;
  std::vector<std::unique_ptr<storage::Writer>> inner_;
};

}  // namespace

LockNames lock_names_of(catalog::PlaceLocks& locks, const ConnectorId& connector) {
  if (connector.value.empty()) return {};
  return [&locks, id = connector.value](const std::vector<Path>& items) {
    catalog::PlaceLocks::Places places;
    for (const Path& item : items) {
      // Servers differ in which names are equal (see remote::NameHolds).
      for (Path path = item; !path.is_root(); path = path.parent()) {
        const auto mode = path == item ? Mode::exclusive : Mode::shared;
        std::string folded;
        fold(path.str(), folded);
        auto& wanted =
            places.try_emplace(fmt::format("names of {}/{}", id, folded), mode).first->second;
        if (mode == Mode::exclusive) wanted = mode;
      }
    }
    return locks.acquire(std::move(places));
  };
}

GuardedBackend::GuardedBackend(std::unique_ptr<storage::Backend> inner, std::string label,
                               LockNames lock_names,
                               std::function<CircuitBreaker::Clock::time_point()> now)
    : GuardedBackend(std::move(inner), std::make_shared<CircuitBreaker>(label, now),
                     std::make_shared<CircuitBreaker>(label, now),
                     std::make_shared<storage::FolderNotices>(), std::move(lock_names), Path()) {}

GuardedBackend::GuardedBackend(std::unique_ptr<storage::Backend> inner, Breaker breaker,
                               Breaker views_breaker,
                               std::shared_ptr<storage::FolderNotices> notices,
                               LockNames lock_names, Path base)
    : inner_(std::move(inner)),
      breaker_(std::move(breaker)),
      views_breaker_(std::move(views_breaker)),
      notices_(std::move(notices)),
      lock_names_(std::move(lock_names)),
      base_(std::move(base)) {}

Task<Result<catalog::PlaceLocks::Hold>> GuardedBackend::lock_names(std::vector<Path> items) const {
  for (Path& item : items) item = base_ / item;
  // Of hidden items, such as those of a copy that is not shown yet, nobody else knows the names.
  std::erase_if(items, storage::is_hidden);
  if (!lock_names_ || items.empty()) co_return catalog::PlaceLocks::Hold();
  co_return co_await lock_names_(items);
}

template <class T>
Task<Result<T>> GuardedBackend::guard(Task<Result<T>> call) {
  // A task that is not awaited never starts.
  if (auto refusal = breaker_->refusal()) co_return std::unexpected(*std::move(refusal));
  auto result = co_await std::move(call);
  if (!result) co_return std::unexpected(breaker_->note_failure(std::move(result).error()));
  breaker_->note_success();
  co_return result;
}

Task<Result<storage::Entry>> GuardedBackend::stat(const Path& path) {
  return guard(inner_->stat(path));
}

Task<Result<storage::FolderListing>> GuardedBackend::read_folder(const Path& folder,
                                                                 storage::ListingBound bound) {
  return guard(inner_->read_folder(folder, std::move(bound)));
}

Task<std::unique_ptr<storage::FolderWatch>> GuardedBackend::watch(
    const Path& folder, storage::FolderListener listener) {
  co_return notices_->watch(base_ / folder, std::move(listener));
}

Task<Result<std::unique_ptr<storage::Reader>>> GuardedBackend::open(const Path& file) {
  CO_TRY(auto reader, co_await guard(inner_->open(file)));
  auto open = [inner = inner_, file] { return inner->open(file); };
  co_return std::make_unique<GuardedReader>(std::move(reader), breaker_, std::move(open));
}

Task<std::vector<std::unique_ptr<storage::Reader>>> GuardedBackend::open_together(
    const Path& folder, std::span<const storage::Entry> files, const storage::CopyWatch& watch) {
  if (breaker_->refusal()) co_return std::vector<std::unique_ptr<storage::Reader>>();
  auto readers = co_await inner_->open_together(folder, files, watch);
  for (auto& reader : readers) {
    if (reader) reader = std::make_unique<GuardedReader>(std::move(reader), breaker_);
  }
  co_return readers;
}

std::unique_ptr<storage::Reader> GuardedBackend::open_now(const Path& file) {
  auto reader = inner_->open_now(file);
  if (reader) reader = std::make_unique<GuardedReader>(std::move(reader), breaker_);
  return reader;
}

std::optional<storage::Entry> GuardedBackend::stat_now(const Path& path) {
  return inner_->stat_now(path);
}

Task<Result<std::unique_ptr<storage::Writer>>> GuardedBackend::create(
    const Path& target, storage::WriteOptions options) {
  CO_TRY(auto writer, co_await guard(inner_->create(target, std::move(options))));
  co_return std::make_unique<GuardedWriter>(std::move(writer), breaker_, target);
}

Task<Result<std::vector<storage::Published>>> GuardedBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  std::vector<Path> targets;
  for (const auto& writer : writers) targets.push_back(as_guarded(*writer).target());
  CO_TRY(const auto hold, co_await lock_names(targets));
  CO_TRY_VOID(co_await storage::ask(may_show));
  Result<std::vector<storage::Published>> published;
  {
    const InnerWriters inner(writers);
    published = co_await guard(inner_->publish(inner.get(), growth_limit_bytes));
  }
  for (const Path& target : targets) notices_->tell(base_ / target);
  co_return published;
}

Task<Result<void>> GuardedBackend::make_folder(const Path& folder) {
  std::vector<Path> items(1, folder);
  CO_TRY(const auto hold, co_await lock_names(std::move(items)));
  auto made = co_await guard(inner_->make_folder(folder));
  notices_->tell_made(base_ / folder);
  co_return made;
}

Task<Result<void>> GuardedBackend::rename(const Path& from, const Path& to,
                                          storage::MayShow may_show) {
  std::vector<Path> items(1, from);
  items.push_back(to);
  CO_TRY(const auto hold, co_await lock_names(std::move(items)));
  CO_TRY_VOID(co_await storage::ask(may_show));
  auto renamed = co_await guard(inner_->rename(from, to));
  notices_->tell(base_ / from);
  notices_->tell(base_ / to);
  co_return renamed;
}

Task<Result<storage::TreeSize>> GuardedBackend::copy(const Path& from, const Path& to,
                                                     const storage::CopyOptions& options) {
  auto copied = co_await guard(inner_->copy(from, to, options));
  notices_->tell(base_ / to);
  co_return copied;
}

Task<Result<storage::Removed>> GuardedBackend::remove(const Path& path) {
  auto removed = co_await guard(inner_->remove(path));
  notices_->tell(base_ / path);
  co_return removed;
}

Task<Result<storage::TreeSize>> GuardedBackend::measure(const Path& path) {
  return guard(inner_->measure(path));
}

Task<Result<Path>> GuardedBackend::canonical(const Path& path) {
  return guard(inner_->canonical(path));
}

std::unique_ptr<storage::Backend> GuardedBackend::beneath(const Path& folder) {
  return std::unique_ptr<storage::Backend>(
      new GuardedBackend(inner_->beneath(folder), views_breaker_, views_breaker_, notices_,
                         lock_names_, base_ / folder));
}

}  // namespace coffer::core
