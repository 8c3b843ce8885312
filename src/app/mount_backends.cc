#include "app/mount_backends.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "app/address_policy.h"
#include "backends/local/local_backend.h"
#include "core/connector_settings.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

/// In a share that may be written: where new content is collected, on the same file system.
constexpr std::string_view kStagingName = ".coffer-staging";
/// What was not used for so long is closed when something new is opened.
constexpr auto kUnusedFor = std::chrono::minutes(10);

bool is_within(const fs::path& path, const fs::path& top) {
  const auto relative = path.lexically_relative(top);
  return !relative.empty() && *relative.begin() != "..";
}

/// Sharing the installation's own folder, or what it lies in, would share the catalog and keys.
Result<fs::path> shareable(const std::string& target, const fs::path& data) {
  std::error_code error;
  const fs::path folder = fs::canonical(target, error);
  if (error || !fs::is_directory(folder, error)) {
    return fail(ErrorCode::invalid, "The folder to share is not there.");
  }
  const fs::path own = fs::weakly_canonical(data, error);
  if (error) return fail(ErrorCode::failed, "The data folder cannot be found.");
  if (!is_within(folder, own) && !is_within(own, folder)) return folder;
  return fail(ErrorCode::invalid,
              "The server's own data folder, what is in it and what it lies in cannot be shared.");
}

}  // namespace

MountBackends::Made MountBackends::keep(const std::string& id, const std::string& description,
                                        const std::function<Made()>& make) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(id);
  if (found != kept_.end() && found->second.description == description) {
    found->second.used_at = now;
    return found->second.backend;
  }
  auto made = make();
  if (!made) return made;
  std::erase_if(kept_, [&](const auto& kept) { return now - kept.second.used_at > kUnusedFor; });
  kept_.insert_or_assign(id, Kept{description, *made, now});
  return made;
}

MountBackends::Made MountBackends::of(const catalog::Share& share) {
  if (share.id.value.empty()) return make(share);
  const auto description = fmt::format("{}\n{}", share.read_only, share.target);
  return keep(share.id.value, description, [&] { return make(share); });
}

MountBackends::Made MountBackends::make(const catalog::Share& share) {
  auto folder = shareable(share.target, data_);
  if (!folder) return failure_of(std::move(folder));
  local::LocalOptions options;
  options.root = *folder;
  options.durable = durable_;
  if (!share.read_only) options.staging = *folder / kStagingName;
  auto backend = local::LocalBackend::open(options, pool_);
  if (!backend) return failure_of(std::move(backend));
  return std::shared_ptr<storage::Backend>(*std::move(backend));
}

MountBackends::Made MountBackends::of(const catalog::Connector& connector) {
  const auto description = connector.settings + '\n' + connector.sealed_secret;
  return keep(connector.id.value, description, [&] { return make(connector); });
}

MountBackends::Made MountBackends::make(const catalog::Connector& connector) {
  const auto settings = core::settings_of(connector);
  if (!settings) return failure_of(settings);
  const auto text = sealer_.open(connector.sealed_secret);
  if (!text) return failure_of(text);
  const auto secret = core::secret_of(*text);
  if (!secret) return failure_of(secret);
  if (connector.kind == catalog::ConnectorKind::ftp) {
    return make_ftp(*settings, *secret, connector.name);
  }
  return make_sftp(*settings, *secret, connector.name);
}

}  // namespace coffer::app
