#include "core/files/parking.h"

#include <fstream>

#include "base/log.h"
#include "base/random.h"

namespace coffer::core {

Parking::Note::~Note() {
  if (!parking_) return;
  const std::lock_guard lock(parking_->mutex_);
  parking_->held_.erase(id_);
}

Task<Result<void>> Parking::Note::leave() {
  return parking_->catalog_.parked_items().leave(id_);
}

Task<void> Parking::Note::end() {
  const auto dropped = co_await parking_->catalog_.parked_items().drop(id_);
  if (!dropped) spdlog::warn("the note of a move is not removed: {}", dropped.error().message);
}

Task<Result<Parking::Note>> Parking::note(AccountId account, const ResolvedPath& item,
                                          const Name& name, std::optional<Copy> copy) {
  catalog::ParkedItem parked;
  parked.id = random_hex(16);
  parked.account = account;
  parked.path = item.account_path().str();
  parked.parked_name = name.str();
  parked.leads_to = led_to(item);
  if (copy) {
    parked.copy_path = copy->to.account_path().str();
    parked.copy_leads_to = led_to(copy->to);
    parked.copied = copy->source.text();
  }
  parked.boot = boot_id();
  auto note = take(parked.id);
  CO_TRY_VOID(co_await catalog_.parked_items().add(std::move(parked)));
  co_return *std::move(note);
}

std::optional<Parking::Note> Parking::take(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (!held_.insert(id).second) return std::nullopt;
  return Note(*this, id);
}

std::string led_to(const ResolvedPath& item) {
  return item.mount ? item.mount->leads_to.value_or("") : std::string();
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace coffer::core
