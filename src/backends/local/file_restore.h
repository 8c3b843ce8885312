#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include "backends/local/log_record.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// Writes files of one root again that a crash of the machine took. Blocks.
class FileRestore {
 public:
  /// `staging` is asked for when the first file is to be written.
  using StagingSource = std::function<Result<Staging*>()>;
  /// Which folders a file goes into: the one that it was put into alone, or, in a root that is a
  /// copy, whichever stands at its path.
  enum class Folders { own, any };
  FileRestore(int root, Folders folders, StagingSource staging)
      : root_(root), folders_(folders), staging_(std::move(staging)) {}

  /// What the record says stands at `path`, from the root on, afterwards, unless it was replaced or
  /// changed later or its folder is gone. `conflict` if another folder stands in its place.
  Result<void> restore(const LogRecord& record, std::string_view path);
  std::size_t restored_files() const { return restored_files_; }

 private:
  Result<void> write(const LogRecord& record, int folder, const char* name, bool replaces);

  bool is_other_folder(const LogRecord& record, int folder) const;

  const int root_;
  const Folders folders_;
  const StagingSource staging_;
  std::size_t restored_files_ = 0;
};

}  // namespace coffer::local
