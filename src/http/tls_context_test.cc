#include "http/tls_context.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/testing/scratch_folder.h"
#include "http/testing/tls_files.h"

namespace coffer::http {
namespace {

class TlsContextTest : public testing::Test {
 protected:
  static std::string refusal(const TlsOptions& options) {
    const auto made = TlsContext::make(options);
    return made ? "" : made.error().message;
  }

  const ScratchFolder folder_;
  TlsOptions files_ = make_tls_files(folder_.path());
};

TEST_F(TlsContextTest, IsMadeOfACertificateAndItsKey) {
  const auto made = TlsContext::make(files_);
  ASSERT_TRUE(made) << made.error().message;
  const auto left = (*made)->expires_at() - now();
  EXPECT_GT(left, std::chrono::hours(23));
  EXPECT_LE(left, std::chrono::hours(24));
}

TEST_F(TlsContextTest, NamesTheFileThatIsMissing) {
  files_.key = folder_.path() / "none.key";
  EXPECT_EQ(refusal(files_), "The file " + files_.key.string() +
                                 " of tls_key cannot be used: No such file or directory.");
}

TEST_F(TlsContextTest, NamesTheFileThatIsNoCertificate) {
  std::ofstream(files_.certificate) << "nothing of the kind\n";
  const std::string message = refusal(files_);
  EXPECT_NE(message.find(files_.certificate.string() + " of tls_certificate cannot be used"),
            std::string::npos)
      << message;
}

TEST_F(TlsContextTest, AKeyOfAnotherCertificateIsRefused) {
  const TlsOptions other = make_tls_files(folder_.path(), "other");
  files_.key = other.key;
  EXPECT_NE(refusal(files_).find("does not belong to the certificate"), std::string::npos)
      << refusal(files_);
}

TEST_F(TlsContextTest, AKeyWithAPasswordIsRefusedWithoutAQuestion) {
  const std::string locked = (folder_.path() / "locked.key").string();
  const std::string command = "openssl pkey -aes256 -passout pass:secret -in '" +
                              files_.key.string() + "' -out '" + locked + "' 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  files_.key = locked;
  EXPECT_NE(refusal(files_).find(locked + " of tls_key cannot be used"), std::string::npos)
      << refusal(files_);
}

TEST_F(TlsContextTest, ACertificateThatHasExpiredIsRefused) {
  const TlsOptions old = make_tls_files(folder_.path(), "old", std::chrono::seconds(-60));
  EXPECT_NE(refusal(old).find("has expired"), std::string::npos) << refusal(old);
}

}  // namespace
}  // namespace coffer::http
