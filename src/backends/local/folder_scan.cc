#include "backends/local/folder_scan.h"

#include <dirent.h>

#include <cerrno>
#include <string_view>

namespace coffer::local {
namespace {

constexpr std::size_t kScanBufferBytes = 64 * 1024;

}  // namespace

FolderScan::FolderScan(int folder)
    : folder_(folder), buffer_(std::make_unique_for_overwrite<std::byte[]>(kScanBufferBytes)) {}

const FolderScan::Entry* FolderScan::next() {
  for (;;) {
    if (position_ == filled_ && !fill()) return nullptr;
    const auto* found = reinterpret_cast<const dirent64*>(buffer_.get() + position_);
    position_ += found->d_reclen;
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    item_ = {found->d_name, found->d_type};
    return &item_;
  }
}

bool FolderScan::fill() {
  const auto count = ::getdents64(folder_, buffer_.get(), kScanBufferBytes);
  if (count < 0) error_ = errno;
  filled_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  position_ = 0;
  return filled_ > 0;
}

}  // namespace coffer::local
