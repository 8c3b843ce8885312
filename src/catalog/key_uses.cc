#include "catalog/key_uses.h"

#include <soci/soci.h>
#include <spdlog/spdlog.h>

#include <chrono>

#include "catalog/database.h"
#include "catalog/rows.h"

namespace coffer::catalog {
namespace {

constexpr std::chrono::seconds kInterval{30};

}  // namespace

KeyUses::KeyUses(Database& database)
    : database_(database), thread_([this](std::stop_token stop) { run(std::move(stop)); }) {}

KeyUses::~KeyUses() = default;

void KeyUses::note(const KeyId& id, Timestamp time) {
  const std::lock_guard lock(mutex_);
  auto [use, is_new] = uses_.try_emplace(id);
  if (!is_new && time - use->second.time < kInterval) return;
  use->second = {time, false};
}

std::unordered_map<KeyId, Timestamp> KeyUses::take() {
  const std::lock_guard lock(mutex_);
  std::unordered_map<KeyId, Timestamp> taken;
  const Timestamp oldest = now() - kInterval;
  std::erase_if(
      uses_, [&](const auto& entry) { return entry.second.written && entry.second.time < oldest; });
  for (auto& [id, use] : uses_) {
    if (!use.written) taken.emplace(id, use.time);
    use.written = true;
  }
  return taken;
}

Result<void> KeyUses::flush() {
  const auto taken = take();
  if (taken.empty()) return {};
  auto job = [&](soci::session& sql) -> Result<void> {
    for (const auto& [id, time] : taken) {
      const long long used_at = to_column(time);
      sql << "UPDATE api_keys SET last_used_at = :at WHERE id = :id "
             "AND (last_used_at IS NULL OR last_used_at < :at)",
          soci::use(used_at, "at"), soci::use(id.value, "id");
    }
    return {};
  };
  // Losing a time of use in a power failure is no harm, so it pays for no fsync.
  auto written = database_.run_here(Lane::ordered, job);
  if (!written) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, time] : taken)
      uses_.try_emplace(id, Use{time, false}).first->second.written = false;
  }
  return written;
}

void KeyUses::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, kInterval, [] { return false; });
    }
    if (auto written = flush(); !written) {
      spdlog::warn("The times of use of keys were not written: {}", written.error().message);
    }
  }
}

}  // namespace coffer::catalog
