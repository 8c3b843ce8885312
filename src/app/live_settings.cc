#include "app/live_settings.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace coffer::app {

namespace fs = std::filesystem;

LiveSettings::LiveSettings(Settings first, Load load, Pool& pool)
    : load_(std::move(load)),
      file_(first.file.empty() ? first.file : fs::absolute(first.file).lexically_normal()),
      data_(fs::absolute(first.data).lexically_normal()),
      seen_(file_state()),
      disk_rooms_(pool),
      in_force_(std::move(first)) {}

LiveSettings::FileState LiveSettings::file_state() const {
  struct stat status{};
  if (file_.empty() || ::stat(file_.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size,
          status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
}

std::optional<Settings> LiveSettings::look(bool is_told) {
  const FileState now = file_state();
  const FileState before = std::exchange(seen_, now);
  if (!is_told && (now == read_at_ || now != before)) return std::nullopt;
  read_at_ = now;
  // Reading a FIFO would wait for its other end.
  struct stat status{};
  const bool is_other = ::stat(file_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const auto read = is_other ? fail(ErrorCode::failed, file_.string() + " is no file.") : load_();
  if (read) return take(*read);
  spdlog::warn("the settings stay as they are: {}", read.error().message);
  const std::lock_guard lock(mutex_);
  problem_ = read.error().message;
  return std::nullopt;
}

std::optional<Settings> LiveSettings::take(const Settings& read) {
  const std::lock_guard lock(mutex_);
  problem_.clear();
  SettingChanges changes = changes_between(in_force_, read);
  in_force_ = with_values(std::move(in_force_), read, changes.live);
  waiting_ = std::move(changes.waiting);
  if (!waiting_.empty()) {
    spdlog::warn("changed settings wait for the next start: {}", fmt::join(waiting_, ", "));
  }
  if (changes.live.empty()) return std::nullopt;
  spdlog::info("changed settings are in force: {}", fmt::join(changes.live, ", "));
  return in_force_;
}

std::vector<core::ServerSetting> LiveSettings::settings() const {
  const std::lock_guard lock(mutex_);
  auto all = shown_settings(in_force_);
  for (core::ServerSetting& setting : all) {
    setting.waits = std::ranges::find(waiting_, setting.key) != waiting_.end();
  }
  return all;
}

std::string LiveSettings::settings_problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

std::optional<core::CertificateState> LiveSettings::certificate() const {
  if (certificate_ == nullptr) return std::nullopt;
  return certificate_->state();
}

std::string LiveSettings::program() const {
  std::error_code error;
  std::string path = fs::read_symlink("/proc/self/exe", error).string();
  // A program that was replaced runs on (proc(5)).
  if (constexpr std::string_view kGone = " (deleted)"; path.ends_with(kGone)) {
    path.resize(path.size() - kGone.size());
  }
  return error ? "coffer" : path;
}

Task<std::vector<core::DiskRoom>> LiveSettings::disks() {
  std::vector<std::string> paths{data_.string()};
  {
    const std::lock_guard lock(mutex_);
    paths.insert(paths.end(), in_force_.share_roots.begin(), in_force_.share_roots.end());
  }
  auto rooms = co_await disk_rooms_.look(std::move(paths));
  rooms.front().is_data = true;
  co_return rooms;
}

}  // namespace coffer::app
