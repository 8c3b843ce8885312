#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dav/answers.h"
#include "api/dav/body.h"
#include "api/dav/handlers.h"
#include "api/dav/properties.h"
#include "base/text.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"
#include "core/namespace/access_recheck.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

/// The items of one piece of an answer, where a folder can be read part by part.
constexpr std::size_t kPartItems = 500;
/// The same where it cannot: fewer may list a folder that changes all the time more often.
constexpr std::size_t kPageItems = 2'000;
/// Where much is asked for of each item, fewer.
constexpr std::size_t kPageBytes = 4UL * 1024 * 1024;

/// The answer to a PROPFIND, made page by page of the folder while it is sent. Of what changes
/// meanwhile it tells as FolderPages do.
class Multistatus final : public http::Stream {
 public:
  struct Request {
    Services& services;
    core::Principal principal;
    std::string base_path;
    Path path;
    std::string shown;  ///< The path in addresses, with the mount's name.
    PropertyQuery query;
    Depth depth = Depth::zero;
    core::ListedItem item;  ///< The item at the path.
  };

  explicit Multistatus(Request request)
      : request_(std::move(request)),
        hold_(request_.services.memory.begin(core::holder_of(request_.principal))) {}

  Task<Result<std::optional<std::string_view>>> next() override;

 private:
  using Items = std::vector<core::ListedItem>;
  enum class At : std::uint8_t { top, items, done };

  Task<Result<void>> add_top();
  Task<Result<Items>> next_items();
  Task<Result<void>> add_items();
  std::vector<ShownLock> locks_of(std::string_view shown, bool is_folder,
                                  std::string_view name = {}) const;
  std::vector<ShownLock> shown_locks(const core::LocksAround& around, std::string_view shown,
                                     bool is_folder, std::string_view name = {}) const;
  Task<Result<std::string>> shown_of(const core::ListedItem& item) const;
  Task<Result<std::vector<ShownLock>>> locks_of_mount(const core::Mount& mount,
                                                      std::string_view shown) const;
  Task<Result<std::vector<std::string>>> dead_of(const Items& items) const;
  Task<Result<std::optional<Room>>> room() const;

  const Request request_;
  MemoryRoom::Hold hold_;
  At at_ = At::top;
  std::unique_ptr<core::FolderParts> parts_;  ///< Null where there is only `after_`.
  bool is_begun_ = false;                     ///< Something of `parts_` was read.
  std::optional<core::PagePosition> after_;
  std::string piece_;
  core::RecheckTimer timer_;
  core::LocksAround locks_;
  std::optional<MountNames> mount_names_;  ///< Of the beginning, as `locks_`; set at the root.
};

Task<Result<std::optional<std::string_view>>> Multistatus::next() {
  if (at_ == At::done) co_return std::nullopt;
  piece_.clear();
  if (at_ == At::top) {
    CO_TRY_VOID(co_await add_top());
  } else {
    // An empty piece would mean that the next one takes a while.
    while (piece_.empty() && at_ == At::items) {
      CO_TRY_VOID(co_await add_items());
    }
  }
  if (at_ == At::done) piece_ += kMultistatusEnd;
  const std::size_t held = hold_.bytes();
  if (piece_.capacity() > held) CO_TRY_VOID(hold_.grow(piece_.capacity() - held));
  co_return std::optional<std::string_view>(piece_);
}

Task<Result<std::optional<Room>>> Multistatus::room() const {
  if (!request_.query.wants_room()) co_return std::nullopt;
  // Of mounts it is not known.
  if (!request_.path.is_root() && core::is_mount_name(request_.path.front()))
    co_return std::nullopt;
  CO_TRY(const auto usage, co_await request_.services.accounts.usage(request_.principal));
  Room room{usage.used_bytes, std::nullopt};
  if (usage.limit_bytes > 0) {
    room.available_bytes = usage.limit_bytes - std::min(usage.limit_bytes, usage.used_bytes);
  }
  co_return std::optional(room);
}

std::vector<ShownLock> Multistatus::locks_of(std::string_view shown, bool is_folder,
                                             std::string_view name) const {
  return shown_locks(locks_, shown, is_folder, name);
}

std::vector<ShownLock> Multistatus::shown_locks(const core::LocksAround& around,
                                                std::string_view shown, bool is_folder,
                                                std::string_view name) const {
  std::vector<ShownLock> all;
  for (catalog::FileLock& lock : around.of(name)) {
    const std::size_t levels = around.levels_above(lock, name);
    std::string href = root_href_of(request_.base_path, shown, is_folder, levels);
    all.push_back({std::move(lock), std::move(href)});
  }
  return all;
}

/// Reads the locks once, for all pages: an answer that takes long tells of those at its beginning.
Task<Result<void>> Multistatus::add_top() {
  if (request_.query.wants_locks()) {
    CO_TRY(locks_, co_await request_.services.item_locks.around(request_.principal, request_.path));
  }
  const bool is_folder = request_.item.entry.is_directory;
  at_ = request_.depth == Depth::one && is_folder ? At::items : At::done;
  Described top{request_.item, href_of(request_.base_path, request_.shown, is_folder),
                request_.path.is_root() ? "Coffer" : request_.item.entry.name};
  if (request_.item.mount) top.name = request_.item.mount->name;
  if (request_.query.wants_dead() && !request_.item.mount) {
    std::vector<std::string> self = {"."};
    CO_TRY(const auto stored, co_await request_.services.files.properties(
                                  request_.principal, request_.path, std::move(self)));
    top.dead = read_properties(stored.front());
  }
  top.locks = locks_of(request_.shown, is_folder);
  if (is_folder) {
    CO_TRY(top.room, co_await room());
  }
  piece_ += kMultistatusBegin;
  append_response(piece_, top, request_.query);
  if (at_ == At::items) {
    if (request_.path.is_root()) {
      CO_TRY(mount_names_, co_await mount_names(request_.services, request_.principal));
    }
    CO_TRY(parts_, co_await request_.services.files.parts(request_.principal, request_.path));
  }
  co_return Result<void>{};
}

/// Also finds out whether these are the last.
Task<Result<Multistatus::Items>> Multistatus::next_items() {
  const std::size_t each = request_.query.bytes_of_item() + locks_.bytes_for_each();
  const std::size_t fitting = std::max<std::size_t>(kPageBytes / each, 1);
  if (parts_) {
    CO_TRY(auto part, co_await parts_->next(std::min(fitting, kPartItems)));
    // The folder of a limited key may have been renamed before it was opened.
    const bool is_first = !std::exchange(is_begun_, true);
    if (is_first && request_.principal.scope) {
      std::vector<core::MountUse> none;
      CO_TRY_VOID(
          co_await request_.services.access_recheck.of(request_.principal, std::move(none)));
    }
    if (!part) at_ = At::done;
    co_return part ? *std::move(part) : Items();
  }
  core::PageRequest wanted;
  wanted.limit = std::min(fitting, kPageItems);
  wanted.after = std::exchange(after_, std::nullopt);
  CO_TRY(auto page, co_await request_.services.files.page(request_.principal, request_.path,
                                                          std::move(wanted)));
  after_ = std::move(page.next);
  if (!after_) at_ = At::done;
  co_return std::move(page.items);
}

Task<Result<std::string>> Multistatus::shown_of(const core::ListedItem& item) const {
  std::string name = item.entry.name;
  if (item.mount) {
    name = co_await shown_name(request_.services, request_.principal, *mount_names_, *item.mount);
  }
  co_return request_.shown.empty() ? name : request_.shown + '/' + name;
}

Task<Result<std::vector<ShownLock>>> Multistatus::locks_of_mount(const core::Mount& mount,
                                                                 std::string_view shown) const {
  if (!request_.query.wants_locks()) co_return std::vector<ShownLock>();
  CO_TRY(const auto around,
         co_await request_.services.item_locks.around_mount(request_.principal, mount));
  co_return shown_locks(around, shown, true);
}

Task<Result<std::vector<std::string>>> Multistatus::dead_of(const Items& items) const {
  if (!request_.query.wants_dead()) co_return std::vector<std::string>(items.size());
  std::vector<std::string> names;
  // A mount has no name in the folder, which has none either at the root.
  for (const core::ListedItem& item : items) {
    names.push_back(item.mount ? std::string(".") : item.entry.name);
  }
  co_return co_await request_.services.files.properties(request_.principal, request_.path,
                                                        std::move(names));
}

Task<Result<void>> Multistatus::add_items() {
  CO_TRY(const auto items, co_await next_items());
  if (timer_.is_due()) {
    CO_TRY_VOID(co_await request_.services.access_recheck.of_reader(request_.principal, {}));
  }
  CO_TRY(const auto dead, co_await dead_of(items));
  std::vector<std::string> shown;
  std::vector<std::vector<ShownLock>> locks;
  for (const core::ListedItem& item : items) {
    CO_TRY(auto path, co_await shown_of(item));
    if (item.mount) {
      CO_TRY(auto found, co_await locks_of_mount(*item.mount, path));
      locks.push_back(std::move(found));
    } else {
      locks.push_back(locks_of(path, item.entry.is_directory, item.entry.name));
    }
    shown.push_back(std::move(path));
  }
  auto make = [&] {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const core::ListedItem& item = items[i];
      Described one{item, href_of(request_.base_path, shown[i], item.entry.is_directory),
                    item.mount ? item.mount->name : item.entry.name};
      one.locks = std::move(locks[i]);
      if (!item.mount) one.dead = read_properties(dead[i]);
      append_response(piece_, one, request_.query);
    }
  };
  core::WorkPool& pool = request_.services.pools.of(request_.principal.account->id);
  co_await core::run_by_size(pool, items.size(), std::move(make));
  co_return Result<void>{};
}

/// True if the client wants no property told that an item does not have (RFC 8144).
bool wants_minimal(const http::Request& request) {
  std::string_view rest = request.header("Prefer").value_or("");
  while (!rest.empty()) {
    const std::string_view one = http::trim(http::cut_front(rest, ','));
    if (equal_ignoring_case(one, "return=minimal")) return true;
  }
  return false;
}

}  // namespace

Task<Result<http::Response>> propfind(const Call& call) {
  CO_TRY(const auto depth, depth_of(call.request));
  CO_TRY(const auto body, co_await read_xml(call, kMostQueryBytes));
  CO_TRY(auto query, read_query(body));
  query.is_minimal = wants_minimal(call.request);
  CO_TRY(auto item, co_await call.services.files.info(call.principal, call.path));
  if (depth == Depth::infinity && item.entry.is_directory) {
    co_return precondition_answer(403, "propfind-finite-depth");
  }
  std::string shown = co_await shown_path(call);
  Multistatus::Request wanted{call.services, call.principal,   std::string(call.request.base_path),
                              call.path,     std::move(shown), std::move(query),
                              depth,         std::move(item)};
  http::Response response = answer(207);
  response.headers.emplace_back("Content-Type", kXmlType);
  if (wanted.query.is_minimal) {
    response.headers.emplace_back("Preference-Applied", "return=minimal");
  }
  response.body = std::make_shared<Multistatus>(std::move(wanted));
  co_return response;
}

}  // namespace coffer::api::dav
