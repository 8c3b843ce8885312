#include "backends/remote/testing/memory_remote.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "async/run.h"
#include "backends/remote/publish.h"
#include "backends/remote/removal.h"
#include "base/error.h"

namespace coffer::remote {
namespace {

using Content = std::shared_ptr<const std::vector<std::byte>>;

struct Stored {
  Kind kind = Kind::file;
  Content content = {};
  Timestamp modified_at = now();
};

Item item_of(const ServerPath& place, const Stored& node) {
  return {std::string(name_of(place)), node.kind, node.content ? node.content->size() : 0,
          node.modified_at};
}

}  // namespace

/// Items by their places, the root among them. Safe from any thread.
class MemoryServer {
 public:
  explicit MemoryServer(const Capabilities& chosen) : can(chosen) {
    nodes_[""] = {.kind = Kind::folder};
  }

  const Capabilities can;
  SharedState state;

  std::optional<Stored> find(const ServerPath& place) const {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find(place);
    return found == nodes_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<Item> list(const ServerPath& folder) const {
    const std::lock_guard lock(mutex_);
    std::vector<Item> items;
    for (const auto& [place, node] : nodes_) {
      if (!place.empty() && parent_of(place) == folder) items.push_back(item_of(place, node));
    }
    return items;
  }
  Result<void> put(const ServerPath& place, Stored node) {
    const std::lock_guard lock(mutex_);
    TRY_VOID(need_folder(parent_of(place)));
    if (nodes_.contains(place)) return fail_taken();
    nodes_[place] = std::move(node);
    return {};
  }
  Result<void> move(const ServerPath& from, const ServerPath& to, bool may_replace) {
    const std::lock_guard lock(mutex_);
    TRY_VOID(need_folder(parent_of(to)));
    if (!nodes_.contains(from)) return fail_missing();
    if (nodes_.contains(to) && !may_replace) return fail_taken();
    std::map<ServerPath, Stored> moved;
    for (const auto& [place, node] : nodes_) {
      if (place == from || is_beneath(place, from)) moved[to + place.substr(from.size())] = node;
    }
    std::erase_if(nodes_, [&](const auto& item) {
      return item.first == from || item.first == to || is_beneath(item.first, from);
    });
    nodes_.merge(moved);
    return {};
  }
  Result<void> remove(const ServerPath& place) {
    const std::lock_guard lock(mutex_);
    const auto below = nodes_.upper_bound(in_folder(place, {}));
    if (below != nodes_.end() && is_beneath(below->first, place)) {
      return fail(ErrorCode::refused, "The folder is not empty.");
    }
    if (nodes_.erase(place) == 0) return fail_missing();
    return {};
  }
  Result<void> set_time(const ServerPath& place, Timestamp time) {
    const std::lock_guard lock(mutex_);
    nodes_.at(place).modified_at = time;
    return {};
  }

 private:
  Result<void> need_folder(const ServerPath& folder) const {
    const auto found = nodes_.find(folder);
    if (found == nodes_.end()) return fail_missing();
    if (found->second.kind != Kind::folder) return fail_no_folder();
    return {};
  }

  mutable std::mutex mutex_;
  std::map<ServerPath, Stored> nodes_;
};

namespace {

class MemoryAdapter final : public Adapter {
 public:
  MemoryAdapter(MemoryServer& server, const Path& base)
      : Adapter(server.state, base), server_(server) {}

  Capabilities capabilities() const override { return server_.can; }
  Result<void> go_on() const override { return {}; }
  bool is_unsure() const override { return false; }

  Task<Result<std::optional<Item>>> find(const ServerPath& place, Look /*look*/) override {
    const auto node = server_.find(place);
    if (!node) co_return std::nullopt;
    co_return item_of(place, *node);
  }
  Task<Result<std::vector<Item>>> list(const ServerPath& folder) override {
    co_return server_.list(folder);
  }
  Task<Result<void>> make_folder(const ServerPath& folder) override {
    co_return server_.put(folder, {.kind = Kind::folder});
  }
  Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind /*kind*/) override {
    co_return server_.move(from, to, false);
  }
  Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                             const Item* /*old*/) override {
    co_return server_.move(from, to, true);
  }
  Task<Result<void>> link(const ServerPath& from, const ServerPath& to) override {
    co_return server_.put(to, *server_.find(from));
  }
  Task<Result<void>> remove_file(const ServerPath& file, Kind /*shown_as*/) override {
    co_return server_.remove(file);
  }
  Task<Result<std::uint64_t>> copy_file(const ServerPath& from, const ServerPath& to,
                                        const Item& item, std::uint64_t limit_bytes,
                                        storage::CopyWatch& watch) override {
    if (item.size_bytes > limit_bytes) {
      co_return fail_over_quota();
    }
    CO_TRY_VOID(server_.put(to, *server_.find(from)));
    constexpr std::uint64_t kBlockBytes = 1'000'000;
    for (auto left = item.size_bytes; left > 0; left -= std::min(left, kBlockBytes)) {
      watch.wrote(std::min(left, kBlockBytes));
      CO_TRY_VOID(storage::go_on(watch));
    }
    co_return item.size_bytes;
  }
  Task<Result<void>> set_time(const ServerPath& folder, Timestamp time) override {
    co_return server_.set_time(folder, time);
  }

 private:
  MemoryServer& server_;
};

class MemoryReader final : public storage::Reader {
 public:
  MemoryReader(storage::Entry entry, Content content)
      : entry_(std::move(entry)), content_(std::move(content)) {}

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    offset = std::min<std::uint64_t>(offset, content_->size());
    const auto left = std::span(*content_).subspan(offset);
    co_return std::ranges::copy(left.first(std::min(left.size(), out.size())), out.begin()).out -
        out.begin();
  }
  std::optional<std::size_t> read_now(std::uint64_t, std::span<std::byte>) override { return {}; }
  std::optional<int> descriptor() const override { return {}; }

 private:
  const storage::Entry entry_;
  const Content content_;
};

class MemoryWriter final : public PartialWriter {
 public:
  MemoryWriter(std::shared_ptr<MemoryServer> server, Path target, ServerPath staged,
               const storage::WriteOptions& options)
      : PartialWriter(std::move(target), std::move(staged), options), server_(std::move(server)) {}
  ~MemoryWriter() override {
    if (!is_shown()) static_cast<void>(server_->remove(staged()));
  }

  Task<Result<void>> write(std::span<const std::byte> data) override {
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    written_bytes_ = bytes_.size();
    co_return Result<void>();
  }
  Task<Result<void>> finish() override {
    if (std::exchange(is_finished_, true)) co_return Result<void>();
    co_return server_->put(staged(), {.content = std::make_shared<std::vector<std::byte>>(bytes_),
                                      .modified_at = options().modified_at.value_or(now())});
  }

 private:
  const std::shared_ptr<MemoryServer> server_;
  std::vector<std::byte> bytes_;
  bool is_finished_ = false;
};

}  // namespace

MemoryRemote::MemoryRemote(const Capabilities& can)
    : MemoryRemote(std::make_shared<MemoryServer>(can), {}) {}

MemoryRemote::MemoryRemote(std::shared_ptr<MemoryServer> server, Path base)
    : server_(std::move(server)), base_(std::move(base)) {}

std::unique_ptr<storage::Backend> MemoryRemote::beneath(const Path& folder) {
  return std::unique_ptr<MemoryRemote>(new MemoryRemote(server_, base_ / folder));
}

Task<std::unique_ptr<Adapter>> MemoryRemote::begin(Use /*use*/) {
  co_return std::make_unique<MemoryAdapter>(*server_, base_);
}

void MemoryRemote::sweep_behind() {
  if (!server_->state.leftovers.claim()) return;
  MemoryAdapter adapter(*server_, base_);
  run(sweep(adapter));
}

Task<Result<std::unique_ptr<storage::Reader>>> MemoryRemote::open(const Path& file) {
  const ServerPath place = (base_ / file).str();
  auto node = server_->find(place);
  if (!node) co_return fail_missing();
  if (node->kind == Kind::folder) co_return fail_no_file();
  co_return std::make_unique<MemoryReader>(entry_of(item_of(place, *node)), node->content);
}

Task<Result<std::unique_ptr<storage::Writer>>> MemoryRemote::create(const Path& target,
                                                                    storage::WriteOptions options) {
  const ServerPath place = (base_ / target).str();
  MemoryAdapter adapter(*server_, base_);
  if (!options.out_of_sight) {
    CO_TRY([[maybe_unused]] const auto old,
           co_await find_replaced(adapter, target, place, options));
  }
  if (!server_->find(parent_of(place))) co_return fail_missing();
  co_return std::make_unique<MemoryWriter>(server_, target, staged_for(place, options), options);
}

}  // namespace coffer::remote
