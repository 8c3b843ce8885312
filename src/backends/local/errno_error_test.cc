#include "backends/local/errno_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace coffer::local {
namespace {

TEST(ErrnoError, TellsTheCallerWhatToDoNext) {
  for (const int code : {ENOENT, ENOTDIR, ELOOP, EXDEV, ENXIO, ENAMETOOLONG}) {
    EXPECT_EQ(errno_error(code).code, ErrorCode::not_found) << code;
  }
  for (const int code : {EEXIST, ENOTEMPTY}) EXPECT_EQ(errno_error(code).code, ErrorCode::exists);
  for (const int code : {EACCES, EPERM, EROFS}) {
    EXPECT_EQ(errno_error(code).code, ErrorCode::forbidden) << code;
  }
  EXPECT_EQ(errno_error(EIO).code, ErrorCode::failed);
  EXPECT_EQ(creation_error(ENAMETOOLONG).code, ErrorCode::invalid);
  EXPECT_EQ(creation_error(EINVAL).message, "The file system does not allow this name.");
}

TEST(ErrnoError, SaysThatTheDiskIsFull) {
  for (const int code : {ENOSPC, EDQUOT}) {
    EXPECT_EQ(errno_error(code), (Error{ErrorCode::disk_full, "The disk is full."}));
  }
}

TEST(ErrnoError, ALackOfDescriptorsPasses) {
  for (const int code : {EMFILE, ENFILE}) {
    EXPECT_EQ(errno_error(code).code, ErrorCode::overloaded);
    EXPECT_EQ(creation_error(code).code, ErrorCode::overloaded);
  }
}

}  // namespace
}  // namespace coffer::local
