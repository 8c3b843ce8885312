#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/run.h"
#include "backends/local/local_backend.h"
#include "base/testing/scratch_folder.h"

namespace coffer::local {

/// A backend on a scratch folder, and plain access to that folder behind its back.
class LocalFixture : public testing::Test {
 protected:
  LocalFixture();
  ~LocalFixture() override;

  LocalBackend& backend() { return *backend_; }
  LocalOptions options() const {
    LocalOptions options = options_;
    options.root = top() / "root";
    options.collects = Collects::in_data;
    return options;
  }
  StoreOptions store_options() const {
    StoreOptions options = store_options_;
    options.data = top();
    options.recovers = true;
    return options;
  }
  LocalStore& store() { return *store_; }
  void wait_reclaimed() { store_->wait_reclaimed(); }
  void reopen();
  void close() {
    backend_.reset();
    store_.reset();
  }

  std::filesystem::path root() const { return top() / "root"; }
  std::filesystem::path staging() const { return top() / "staging"; }
  std::filesystem::path top() const { return top_.path(); }
  void put(const std::filesystem::path& relative, std::string_view content);
  std::string content_of(const std::filesystem::path& relative) const;
  /// How many items lie in the staging folder, however deep, without the processes' own folders.
  std::size_t staged_items() const;
  /// Makes what a process of this program left in a staging folder; returns the folder.
  static std::filesystem::path plant_left(const std::filesystem::path& staging);

  LocalOptions options_{.durable = false};
  StoreOptions store_options_;
  Pool pool_{8};

 private:
  const ScratchFolder top_;
  std::unique_ptr<LocalStore> store_;
  std::unique_ptr<LocalBackend> backend_;
};

/// A kind of disk, by the steps on names that it has.
struct KindOfDisk {
  std::string name;
  Abilities allowed;
};
testing::internal::ParamGenerator<KindOfDisk> kinds_of_disks();
inline std::string name_of_disk(const testing::TestParamInfo<KindOfDisk>& info) {
  return info.param.name;
}

Path path_of(std::string_view text);
std::unique_ptr<storage::Writer> begin(storage::Backend& backend, const Path& target,
                                       std::string_view content);
std::unique_ptr<storage::Writer> finished(storage::Backend& backend, const Path& target,
                                          std::string_view content);
Result<std::vector<storage::Published>> publish(storage::Backend& backend,
                                                std::unique_ptr<storage::Writer>& writer,
                                                std::uint64_t growth_limit_bytes = UINT64_MAX);
Result<std::vector<storage::Published>> upload(storage::Backend& backend, const Path& target,
                                               std::string_view content,
                                               std::uint64_t growth_limit_bytes = UINT64_MAX);
Result<std::string> download(storage::Backend& backend, const Path& file);
/// Sorted; folders with a slash.
std::vector<std::string> names(storage::Backend& backend, std::string_view folder = "");

template <class T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error().code;
}

}  // namespace coffer::local
