#include "mounts/gated_home.h"

#include <utility>

namespace coffer::mounts {

Task<Result<std::unique_ptr<storage::Writer>>> GatedHome::create(const Path& target,
                                                                 storage::WriteOptions options) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::publication));
  co_return co_await inner_->create(target, std::move(options));
}

Task<Result<std::vector<storage::Published>>> GatedHome::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::publication));
  co_return co_await inner_->publish(writers, growth_limit_bytes, std::move(may_show));
}

Task<Result<void>> GatedHome::make_folder(const Path& folder) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::folder));
  co_return co_await inner_->make_folder(folder);
}

Task<Result<void>> GatedHome::set_times(const Path& folder, Timestamp created_at,
                                        Timestamp modified_at) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::folder));
  co_return co_await inner_->set_times(folder, created_at, modified_at);
}

Task<Result<void>> GatedHome::set_properties(const Path& item, std::string text) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::folder));
  co_return co_await inner_->set_properties(item, std::move(text));
}

Task<Result<void>> GatedHome::set_modified_at(const Path& item, Timestamp modified_at) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::folder));
  co_return co_await inner_->set_modified_at(item, modified_at);
}

Task<Result<void>> GatedHome::rename(const Path& from, const Path& to, storage::MayShow may_show) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::rename));
  co_return co_await inner_->rename(from, to, std::move(may_show));
}

Task<Result<storage::TreeSize>> GatedHome::copy(const Path& from, const Path& to,
                                                const storage::CopyOptions& options) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::copy));
  co_return co_await inner_->copy(from, to, options);
}

Task<Result<storage::Removed>> GatedHome::remove(const Path& path) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::removal));
  co_return co_await inner_->remove(path);
}

/// The view keeps what it is a view of.
std::unique_ptr<storage::Backend> GatedHome::beneath(const Path& folder) {
  struct Held {
    std::shared_ptr<storage::Backend> whole;
    std::unique_ptr<storage::Backend> view;
  };
  auto held = std::make_shared<Held>(inner_, inner_->beneath(folder));
  storage::Backend* const view = held->view.get();
  return std::make_unique<GatedHome>(std::shared_ptr<storage::Backend>(std::move(held), view),
                                     gate_);
}

}  // namespace coffer::mounts
