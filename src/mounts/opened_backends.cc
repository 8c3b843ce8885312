#include "mounts/opened_backends.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "backends/local/file_systems.h"
#include "backends/local/handle.h"
#include "backends/local/local_backend.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/share_mark.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

/// Backends that were unused for so long are closed when another one is opened.
constexpr auto kUnusedFor = std::chrono::minutes(10);

bool is_within(const fs::path& path, const fs::path& top) {
  const auto relative = path.lexically_relative(top);
  return !relative.empty() && *relative.begin() != "..";
}

/// The path has no symbolic link in it when it is shared. What is put there later is not followed:
/// it could lead to any folder that the server's user can read.
Result<local::Handle> open_shared(const std::string& target) {
  local::Handle folder = local::open_whole(target, O_RDONLY, RESOLVE_NO_SYMLINKS);
  if (folder) return folder;
  const int code = errno;
  if (code == ELOOP) {
    return fail(ErrorCode::unavailable,
                "A symbolic link stands where this shared folder was or above it, so it is not "
                "opened. An administrator can set its folder again.");
  }
  if (code == ENOENT) {
    return fail(ErrorCode::invalid, fmt::format("The folder to share is not there: {}.", target));
  }
  if (code == ENOTDIR) {
    return fail(ErrorCode::invalid, fmt::format("The folder to share is a file: {}.", target));
  }
  return fail(ErrorCode::invalid, fmt::format("The folder to share cannot be used: {}: {}.", target,
                                              std::generic_category().message(code)));
}

/// Sharing the installation's own folder, or what it lies in, would share the catalog and keys. The
/// kernel's would share its switches.
Result<void> check_shareable(const local::Handle& folder, const fs::path& data) {
  if (const auto kind = local::kernel_folder_kind(folder.get()); !kind.empty()) {
    return fail(ErrorCode::invalid,
                fmt::format("The kernel's own folders ({}) cannot be shared.", kind));
  }
  std::error_code error;
  const fs::path own = fs::weakly_canonical(data, error);
  if (error) return fail(ErrorCode::failed, "The data folder cannot be found.");
  TRY(const fs::path path, local::fd_path(folder.get()));
  if (!is_within(path, own) && !is_within(own, path)) return {};
  return fail(
      ErrorCode::invalid,
      "The server's own data folder, its content and the folders above it cannot be shared.");
}

/// The settings have another revision after each change of a secret but that which the backend
/// itself renewed.
std::string description_of(const catalog::Connector& connector, const core::ConnectorType& type) {
  return fmt::format("{}\n{}\n{}", connector.name, connector.settings,
                     type.renews_secret() ? "" : connector.sealed_secret);
}

}  // namespace

std::shared_ptr<storage::Backend> OpenedBackends::find(const std::string& id,
                                                       const std::string& description) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(id);
  if (found == kept_.end() || found->second.description != description) return nullptr;
  found->second.used_at = std::chrono::steady_clock::now();
  return found->second.backend;
}

Task<OpenedBackends::Made> OpenedBackends::keep(std::string id, std::string description,
                                                std::function<Made()> make, Pool& pool) {
  if (auto found = find(id, description)) co_return found;
  const auto opening = opening_of(fmt::format("{}\n{}", id, description));
  auto work = [&] {
    const std::lock_guard one(opening->mutex);
    if (!opening->made) opening->made = add(id, description, make());
    return *opening->made;
  };
  co_return co_await pool.run(std::move(work));
}

std::shared_ptr<OpenedBackends::Opening> OpenedBackends::opening_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::erase_if(openings_, [](const auto& opening) { return opening.second.expired(); });
  auto& known = openings_[key];
  auto opening = known.lock();
  if (!opening) known = opening = std::make_shared<Opening>();
  return opening;
}

OpenedBackends::Made OpenedBackends::add(const std::string& id, const std::string& description,
                                         Made made) {
  if (!made) return made;
  if (auto found = find(id, description)) return found;
  const auto now = std::chrono::steady_clock::now();
  std::vector<Kept> let_go;  // Ends when the mutex is free again.
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](auto& kept) {
    // One that others hold is used, as by those who watch a folder of it.
    const bool is_free = kept.second.backend.use_count() == 1;
    const bool unused = is_free && now - kept.second.used_at > kUnusedFor;
    if (unused || kept.first == id) let_go.push_back(std::move(kept.second));
    return unused || kept.first == id;
  });
  kept_.emplace(id, Kept{description, *made, now});
  return made;
}

Task<OpenedBackends::Made> OpenedBackends::of(const catalog::Share& share) {
  auto made = [this, &share] { return make(share); };
  if (share.id.value.empty()) co_return co_await pools_.common().run(std::move(made));
  auto description = fmt::format("{}\n{}", share.read_only, share.target);
  Pool& pool = pools_.of(share.id).brief;
  if (auto found = find(share.id.value, description)) {
    if (co_await stands(*found, share.target, pool)) co_return found;
    co_await let_go(share.id.value, std::move(found), pool);
  }
  if (shared_work_.has_others()) CO_TRY_VOID(co_await check_mark(share, pool));
  co_return co_await keep(share.id.value, std::move(description), std::move(made), pool);
}

Task<Result<void>> OpenedBackends::check_mark(const catalog::Share& share, Pool& pool) {
  auto look = [&]() -> Result<ShareMark> {
    TRY(const auto folder, open_shared(share.target));
    return mark_of(folder);
  };
  CO_TRY(const auto mark, co_await pool.run(std::move(look)));
  const std::string fact = catalog::mark_fact_of(share.id);
  CO_TRY(const auto agreed, co_await shared_work_.agree_on(fact, mark.text));
  if (agreed == mark.text) co_return Result<void>{};
  auto take_back = [&] {
    const auto folder = open_shared(share.target);
    if (mark.is_new && folder) remove_mark(*folder);
  };
  co_await pool.run(std::move(take_back));
  co_return fail(ErrorCode::unavailable,
                 "This shared folder is not the same on this server as on the others: it has to be "
                 "the same disk under the same path on all.");
}

/// `opened` is of a share.
Task<bool> OpenedBackends::stands(const storage::Backend& opened, const std::string& folder,
                                  Pool& pool) {
  using Wait = local::LocalBackend::Wait;
  const auto& backend = static_cast<const local::LocalBackend&>(opened);
  if (const auto known = backend.stands_at(folder, Wait::no)) co_return *known;
  auto look = [&] { return *backend.stands_at(folder, Wait::yes); };
  co_return co_await pool.run(std::move(look));
}

/// Its users may continue.
Task<void> OpenedBackends::let_go(const std::string& id, std::shared_ptr<storage::Backend> backend,
                                  Pool& pool) {
  auto drop = [&] {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(id);
    if (kept != kept_.end() && kept->second.backend == backend) kept_.erase(kept);
  };
  auto end = [&] {
    drop();
    backend.reset();
  };
  co_await pool.run(std::move(end));
}

OpenedBackends::Made OpenedBackends::make(const catalog::Share& share) {
  TRY(auto folder, open_shared(share.target));
  TRY_VOID(check_shareable(folder, data_));
  local::LocalOptions options;
  options.durable = durable_;
  if (!share.read_only) options.collects = local::Collects::in_root;
  core::WorkPool& pool = pools_.of(share.id);
  TRY(auto backend,
      local::LocalBackend::open(std::move(folder), options, store_, pool.brief, pool.lengthy));
  return std::shared_ptr<storage::Backend>(std::move(backend));
}

Task<OpenedBackends::Made> OpenedBackends::of(const catalog::Connector& connector) {
  core::ConnectorType& type = types_.of(connector.kind);
  auto made = [this, &connector] { return make(connector); };
  Pool& pool = pools_.of(connector.account).brief;
  if (connector.id.value.empty()) co_return co_await pool.run(std::move(made));
  type.note_read(connector);
  auto description = description_of(connector, type);
  co_return co_await keep(connector.id.value, std::move(description), std::move(made), pool);
}

OpenedBackends::Made OpenedBackends::make(const catalog::Connector& connector) {
  const auto secret = sealer_.open(connector.sealed_secret);
  return secret ? types_.of(connector.kind).open(connector, *secret) : failure_of(secret);
}

core::ServerHealth OpenedBackends::health_of(const ConnectorId& connector) {
  std::shared_ptr<storage::Backend> backend;
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(connector.value);
    if (kept != kept_.end()) backend = kept->second.backend;
  }
  const auto* const guarded = dynamic_cast<const core::GuardedBackend*>(backend.get());
  return guarded == nullptr ? core::ServerHealth() : guarded->health();
}

}  // namespace coffer::mounts
