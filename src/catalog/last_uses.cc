#include "catalog/last_uses.h"

#include <spdlog/spdlog.h>

#include <chrono>

#include "catalog/database.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

constexpr std::chrono::seconds kInterval{30};

}  // namespace

LastUses::LastUses(Database& database, std::string what, std::string update)
    : database_(database),
      what_(std::move(what)),
      update_(std::move(update)),
      thread_([this](std::stop_token stop) { run(std::move(stop)); }) {}

LastUses::~LastUses() = default;

void LastUses::note(const std::string& id, Timestamp time) {
  const std::lock_guard lock(mutex_);
  auto [use, is_new] = uses_.try_emplace(id);
  if (!is_new && time - use->second.time < kInterval) return;
  use->second = {time, false};
}

std::unordered_map<std::string, Timestamp> LastUses::take() {
  const std::lock_guard lock(mutex_);
  std::unordered_map<std::string, Timestamp> taken;
  const Timestamp oldest = now() - kInterval;
  std::erase_if(
      uses_, [&](const auto& entry) { return entry.second.written && entry.second.time < oldest; });
  for (auto& [id, use] : uses_) {
    if (!use.written) taken.emplace(id, use.time);
    use.written = true;
  }
  return taken;
}

Result<void> LastUses::flush() {
  const auto taken = take();
  if (taken.empty()) return {};
  auto job = [&](sql::Connection& sql) -> Result<void> {
    for (const auto& [id, time] : taken) sql.run(update_, time, id);
    return {};
  };
  // On the ordered lane, without an fsync: a power failure may undo times of use.
  auto written = database_.run_here(Lane::ordered, job);
  if (!written) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, time] : taken)
      uses_.try_emplace(id, Use{time, false}).first->second.written = false;
  }
  return written;
}

void LastUses::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, kInterval, [] { return false; });
    }
    if (auto written = flush(); !written) {
      spdlog::warn("The times of use of {} were not written: {}", what_, written.error().message);
    }
  }
}

}  // namespace coffer::catalog
