#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <filesystem>
#include <fstream>
#include <stop_token>

#include "backends/ftp/ftp_backend.h"
#include "base/testing/scratch_folder.h"
#include "conformance/conformance.h"
#include "core/transfer/transfer.h"
#include "servers/pure_ftpd.h"
#include "servers/vsftpd.h"

namespace coffer::conformance {
namespace {

using ftp::FtpOptions;
using ftp::Tls;

/// A folder of its own for each test, on a server that all tests of the kind share.
template <class Server, auto Argument>
class FtpSubject final : public Subject {
 public:
  explicit FtpSubject(FtpOptions options) {
    options.host = "127.0.0.1";
    options.port = server().port();
    const std::string name = server().make_folder();
    folder_ = server().files() / name;
    options.root += "/" + name;
    if (options.tls != Tls::none) options.ca_file = server().ca_file();
    backend_ = ftp::FtpBackend::open(std::move(options), pool_).value();
  }
  storage::Backend& backend() override { return *backend_; }
  /// The backend's root on the disk.
  const std::filesystem::path& folder() const { return folder_; }

  static Server& server() {
    static Server server(Argument);
    return server;
  }

 private:
  Pool pool_{4};
  std::filesystem::path folder_;
  std::unique_ptr<ftp::FtpBackend> backend_;
};

template <auto TlsOfServer>
Kind vsftpd(std::string name, Tls tls) {
  return {.name = std::move(name),
          .make = [tls]() -> std::unique_ptr<Subject> {
            return std::make_unique<FtpSubject<servers::Vsftpd, TlsOfServer>>(
                FtpOptions{.root = "/files", .tls = tls});
          },
          .stages_in_sight = true};
}

template <bool WithTls>
Kind pure_ftpd(std::string name) {
  return {.name = std::move(name),
          .make = []() -> std::unique_ptr<Subject> {
            return std::make_unique<FtpSubject<servers::PureFtpd, WithTls>>(
                FtpOptions{.user = "tester",
                           .password = "secret",
                           .tls = WithTls ? Tls::explicit_tls : Tls::none});
          },
          .keeps_modified_at = true,
          .stages_in_sight = true};
}

INSTANTIATE_TEST_SUITE_P(
    Ftp, BackendConformance,
    testing::Values(vsftpd<servers::FtpTls::none>("Vsftpd", Tls::none),
                    vsftpd<servers::FtpTls::implicit_tls>("VsftpdTls", Tls::implicit_tls),
                    pure_ftpd<false>("PureFtpd"), pure_ftpd<true>("PureFtpdTls")),
    name_of);

using Vsftpd = FtpSubject<servers::Vsftpd, servers::FtpTls::none>;
using PureFtpd = FtpSubject<servers::PureFtpd, false>;

/// Both kinds of listing tell links in their own way.
template <class Subject>
void expect_links_lead_nowhere(Subject& subject) {
  storage::Backend& backend = subject.backend();
  const auto folder = path_of("folder");
  ASSERT_TRUE(run(backend.make_folder(folder)));
  const std::filesystem::path outside = subject.folder().parent_path() / "outside";
  std::filesystem::create_directory(outside);
  servers::give_to_ftp(outside);
  std::ofstream(outside / "kept") << "content";
  for (const auto* name : {"link", "folder/link"}) {
    std::filesystem::create_directory_symlink(outside, subject.folder() / name);
  }
  const Path root;
  const auto listed = run(backend.list(root));
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().name, "folder");
  const auto size = run(backend.measure(folder));
  ASSERT_TRUE(size);
  EXPECT_EQ(*size, (storage::TreeSize{.folders = 1}));
  EXPECT_TRUE(run(backend.remove(folder)));
  EXPECT_FALSE(std::filesystem::exists(subject.folder() / "folder"));
  EXPECT_TRUE(std::filesystem::exists(outside / "kept"));
  std::filesystem::remove_all(outside);
}

TEST(Ftp, LinksOfAServerWithListLeadNowhere) {
  Vsftpd subject({.root = "/files"});
  expect_links_lead_nowhere(subject);
}

TEST(Ftp, LinksOfAServerWithMlsdLeadNowhere) {
  PureFtpd subject({.user = "tester", .password = "secret"});
  expect_links_lead_nowhere(subject);
}

TEST(Ftp, NothingIsWaitedForWhenTheServerEnds) {
  std::stop_source ending;
  Vsftpd subject({.root = "/files", .deadlines = {.ending = ending.get_token()}});
  const Path folder = path_of("folder");
  const Path file = path_of("file");
  ASSERT_TRUE(run(subject.backend().make_folder(folder)));
  ASSERT_TRUE(upload(subject.backend(), path_of("folder/file"), "content"));
  ASSERT_TRUE(upload(subject.backend(), file, "content"));
  ending.request_stop();
  EXPECT_EQ(code_of(run(subject.backend().measure(folder))), ErrorCode::unavailable);
  EXPECT_EQ(code_of(run(subject.backend().remove(folder))), ErrorCode::unavailable);
  EXPECT_EQ(code_of(run(subject.backend().stat(file))), ErrorCode::unavailable);
}

/// Not every server takes it.
TEST(Ftp, ABackslashIsALetterLikeOthers) {
  Vsftpd subject({.root = "/files"});
  ASSERT_TRUE(upload(subject.backend(), path_of("back\\slash"), "content"));
  EXPECT_EQ(download(subject.backend(), path_of("back\\slash")), "content");
  EXPECT_TRUE(std::filesystem::exists(subject.folder() / "back\\slash"));
}

TEST(Ftp, ANameThatTheServerDoesNotKeepReplacesNoOther) {
  PureFtpd subject({.user = "tester", .password = "secret"});
  ASSERT_TRUE(upload(subject.backend(), path_of("a_"), "content"));
  EXPECT_EQ(code_of(upload(subject.backend(), path_of("a "), "other")), ErrorCode::invalid);
  const Path from = path_of("a_");
  const Path to = path_of("b ");
  EXPECT_EQ(code_of(run(subject.backend().make_folder(to))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(subject.backend().rename(from, to))), ErrorCode::invalid);
  EXPECT_EQ(download(subject.backend(), from), "content");
  const Path root;
  EXPECT_EQ(run(subject.backend().list(root))->size(), 1u);
}

TEST(Ftp, WhatHasANameThatTheServerDoesNotKeepCanBeReadAndRemoved) {
  PureFtpd subject({.user = "tester", .password = "secret"});
  std::ofstream(subject.folder() / "a ") << "content";
  const Path named = path_of("a ");
  EXPECT_EQ(code_of(upload(subject.backend(), named, "other")), ErrorCode::invalid);
  EXPECT_EQ(download(subject.backend(), named), "content");
  EXPECT_TRUE(run(subject.backend().remove(named)));
  EXPECT_FALSE(std::filesystem::exists(subject.folder() / "a "));
}

/// A copy within the place, as core makes it of a backend that does not copy.
template <class Subject>
Result<storage::TreeSize> copy_within(Subject& subject, std::string_view from,
                                      std::string_view to) {
  asio::io_context context;
  core::TransferProgress progress;
  core::TransferOptions options;
  options.files_in_flight = 1;
  storage::Backend& backend = subject.backend();
  auto copied = asio::co_spawn(context,
                               core::transfer({backend, path_of(from)}, {backend, path_of(to)},
                                              std::move(options), progress),
                               asio::use_future);
  context.run();
  return copied.get();
}

TEST(Ftp, ACopyWithinIsMadeOverTwoConnections) {
  Vsftpd subject({.root = "/files", .connections = 2});
  const std::string large(5'000'000, 'x');
  const Path empty = path_of("tree/empty");
  ASSERT_TRUE(run(subject.backend().make_folder(empty)));
  ASSERT_TRUE(upload(subject.backend(), path_of("tree/large"), large));
  ASSERT_TRUE(upload(subject.backend(), path_of("tree/small"), "content"));
  EXPECT_EQ(copy_within(subject, "tree", "copy"), (storage::TreeSize{5'000'007, 2, 2}));
  EXPECT_TRUE(download(subject.backend(), path_of("copy/large")) == large);
  EXPECT_EQ(download(subject.backend(), path_of("copy/small")), "content");
  EXPECT_TRUE(std::filesystem::is_directory(subject.folder() / "copy/empty"));
  EXPECT_EQ(code_of(copy_within(subject, "tree", "copy")), ErrorCode::exists);
  EXPECT_EQ(code_of(copy_within(subject, "tree", "tree/empty/tree")), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(subject.backend().copy(empty, empty, {}))), ErrorCode::refused);
}

TEST(Ftp, ACopyOfATreeWithANameThatTheServerDoesNotKeepFailsWhole) {
  PureFtpd subject({.user = "tester", .password = "secret"});
  std::filesystem::create_directory(subject.folder() / "tree");
  for (const char* name : {"a_", "a "}) std::ofstream(subject.folder() / "tree" / name) << name;
  EXPECT_EQ(code_of(copy_within(subject, "tree", "copy")), ErrorCode::invalid);
  EXPECT_FALSE(std::filesystem::exists(subject.folder() / "copy"));
}

TEST(Ftp, ABlankAtTheEndIsALetterLikeOthers) {
  Vsftpd subject({.root = "/files"});
  ASSERT_TRUE(upload(subject.backend(), path_of("a_"), "content"));
  ASSERT_TRUE(upload(subject.backend(), path_of("a "), "other"));
  EXPECT_EQ(download(subject.backend(), path_of("a_")), "content");
  EXPECT_EQ(download(subject.backend(), path_of("a ")), "other");
}

TEST(Ftp, ACertificateThatNobodyVouchesForEndsItBeforeThePassword) {
  using Server = FtpSubject<servers::PureFtpd, true>;
  const ScratchFolder scratch;
  const servers::Certificate other(scratch.path());
  for (const auto& ca_file : {std::string(), other.certificate.string()}) {
    Pool pool(1);
    const auto backend = ftp::FtpBackend::open({.host = "127.0.0.1",
                                                .port = Server::server().port(),
                                                .user = "tester",
                                                .password = "secret",
                                                .tls = Tls::explicit_tls,
                                                .ca_file = ca_file},
                                               pool);
    ASSERT_TRUE(backend);
    const Path root;
    const auto listed = run((*backend)->list(root));
    ASSERT_FALSE(listed);
    EXPECT_EQ(listed.error().code, ErrorCode::unavailable);
    EXPECT_THAT(listed.error().message, testing::HasSubstr("certificate"));
  }
}

TEST(Ftp, SpeaksTls13WithServersThatKnowNothingElse) {
  FtpSubject<servers::Vsftpd, servers::FtpTls::newest> subject(
      {.root = "/files", .tls = Tls::explicit_tls});
  ASSERT_TRUE(upload(subject.backend(), path_of("file"), "content"));
  EXPECT_EQ(download(subject.backend(), path_of("file")), "content");
}

}  // namespace
}  // namespace coffer::conformance
