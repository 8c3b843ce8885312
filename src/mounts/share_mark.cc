#include "mounts/share_mark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>

#include "base/disk.h"
#include "base/random.h"
#include "storage/partial_name.h"

namespace coffer::mounts {
namespace {

const std::string kName(storage::kShareMark);
constexpr std::size_t kDigits = 32;

std::unexpected<Error> cannot_be(std::string_view what) {
  return fail(
      ErrorCode::unavailable,
      fmt::format("The mark {} of this shared folder cannot be {}: {}. Servers that share a "
                  "catalog know by it that they have the same folder.",
                  kName, what, std::generic_category().message(errno)));
}

/// Empty if there is none, or one that is not ours.
std::string read_mark(const local::Handle& folder) {
  const local::Handle file(
      ::openat(folder.get(), kName.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::array<char, kDigits> text{};
  const auto count = ::read(file.get(), text.data(), text.size());
  return count == static_cast<ssize_t>(kDigits) ? std::string(text.data(), kDigits) : std::string();
}

}  // namespace

// Made under another name first, so that no server reads half of a mark.
Result<ShareMark> mark_of(const local::Handle& folder) {
  if (auto known = read_mark(folder); !known.empty()) return ShareMark{std::move(known)};
  const std::string text = random_hex(kDigits / 2);
  const std::string part = storage::partial_name();
  const local::Handle file(::openat(folder.get(), part.c_str(),
                                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) return cannot_be("made");
  const int error = write_all(file.get(), std::as_bytes(std::span(text)));
  const bool is_linked = error == 0 && ::fsync(file.get()) == 0 &&
                         ::linkat(folder.get(), part.c_str(), folder.get(), kName.c_str(), 0) == 0;
  const int failure = error != 0 ? error : errno;
  ::unlinkat(folder.get(), part.c_str(), 0);
  if (is_linked) return ShareMark{text, true};
  // Another server may have been first.
  if (auto known = read_mark(folder); !known.empty()) return ShareMark{std::move(known)};
  errno = failure;
  return cannot_be("made");
}

void remove_mark(const local::Handle& folder) {
  ::unlinkat(folder.get(), kName.c_str(), 0);
}

}  // namespace coffer::mounts
