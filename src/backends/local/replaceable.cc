#include "backends/local/replaceable.h"

#include <cerrno>
#include <string>

#include "backends/local/errno_error.h"

namespace coffer::local {

Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          const storage::WriteOptions& options) {
  const auto status = status_in(folder, std::string(target.name()).c_str(), kEntryMask);
  if (!status && status.error() != ENOENT) return std::unexpected(creation_error(status.error()));
  Status shown = status.value_or(Status());
  if (status && is_link(*status)) {
    if (const auto found = lookup.find(target, kEntryMask)) shown = found->second;
  } else if (status && !is_file(*status) && !is_folder(*status)) {
    return fail(ErrorCode::exists, "The name is taken by something that is not a file.");
  }
  if (status && is_folder(shown)) {
    return fail(ErrorCode::exists, "The name is taken by a folder.");
  }
  std::optional<storage::FileVersion> version;
  if (status) version = version_of(entry_of(shown, {}));
  if (auto may = check_taken(options, version); !may) return failure_of(may);
  if (!status) return std::nullopt;
  return *status;
}

}  // namespace coffer::local
