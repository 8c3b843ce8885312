#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/local/log_file.h"

namespace coffer::local {

/// Contents whose files their disk did not take. A disk tells that once and then says that all is
/// well, so they stay in a log file of their own, which the next start recovers as it does the log.
/// Paths are as in the log's records. Safe from any thread; all block.
class KeptContents {
 public:
  /// The folder of the log, which must stay open.
  explicit KeptContents(int folder) : folder_(folder) {}

  using Sequences = std::set<std::uint64_t>;
  /// Copies from the log file of that name the contents that `choose` names; the errno, or 0 when
  /// they are on the disk. Nothing is dropped meanwhile.
  int keep(const char* log, const std::function<Sequences()>& choose);
  /// The last of what is kept at the path and beneath it.
  std::optional<std::uint64_t> last_at(std::string_view path) const;
  /// What was kept there up to that sequence is not written again; the errno, or 0.
  int drop(std::string_view path, std::uint64_t sequence);

 private:
  int store(std::vector<std::byte>& frame, std::uint64_t sequence);

  const int folder_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> files_;  ///< Their sequences by their paths.
  std::unique_ptr<LogFile> log_;
  std::uint64_t last_sequence_ = 0;  ///< Of frames.
};

}  // namespace coffer::local
