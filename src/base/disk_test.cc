#include "base/disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace coffer {
namespace {

TEST(WriteAll, WritesEveryPiece) {
  std::string content;
  while (content.size() < 100'001) content += std::to_string(content.size()) + " ";
  const int file = ::memfd_create("content", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  EXPECT_EQ(write_all(file, std::as_bytes(std::span(content))), 0);
  EXPECT_EQ(write_all(file, {}), 0);
  // Where it is makes other pieces of it, not another content.
  for (const std::uint64_t offset : {1u, 32'767u, 32'768u, 100'003u}) {
    ASSERT_EQ(::lseek(file, 0, SEEK_SET), 0);
    ASSERT_EQ(::ftruncate(file, 0), 0);
    EXPECT_EQ(write_all(file, std::as_bytes(std::span(content)), offset), 0);
  }
  std::string read(content.size() + 1, '\0');
  EXPECT_EQ(::pread(file, read.data(), read.size(), 0), ssize_t(content.size()));
  read.pop_back();
  EXPECT_EQ(read, content);
  ::close(file);
}

TEST(WriteAll, TellsWhatFailed) {
  const std::string content = "content";
  EXPECT_EQ(write_all(-1, std::as_bytes(std::span(content))), EBADF);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_EQ(write_all(full, std::as_bytes(std::span(content))), ENOSPC);
  ::close(full);
}

}  // namespace
}  // namespace coffer
