#include "backends/ftp/testing/ftp_fixture.h"

namespace coffer::ftp {
namespace {

/// Replies with which no command has done its work: what servers say when their input ends, and
/// replies of other commands.
constexpr const char* kFarewells[] = {"350 Logout.", "221 Goodbye.",    "250 Logout.",
                                      "230 Come in", "331 A password?", "226 Aborted."};

class FtpFarewellTest : public FtpBackendTest {
 protected:
  /// A server with `/file`, that answers `verb` so and does nothing.
  void serve_with(const std::string& verb, const std::string& answer) {
    reopen();
    std::map<std::string, std::string> replies{{"MLST", "550 No such file"},
                                               {"MLST /", "250-\r\n type=dir; /\r\n250 End"},
                                               {"MLST /file",
                                                "250-\r\n type=file;size=1; /file\r\n"
                                                "250 End"},
                                               {"RNFR", "350 Whereto?"}};
    replies[verb] = answer;
    serve({.features = std::string(kMlst) + " MFMT\r\n", .replies = std::move(replies)});
  }
  const Path file_ = Path::parse("file").value();
  const Path other_ = Path::parse("other").value();
};

TEST_F(FtpFarewellTest, IsNoAnswerToARename) {
  for (const auto* farewell : kFarewells) {
    serve_with("RNTO", farewell);
    EXPECT_EQ(code_of(run(backend().rename(file_, other_))), ErrorCode::unavailable) << farewell;
    EXPECT_EQ(server().logins(), 2) << "the server is asked over another connection";
  }
}

TEST_F(FtpFarewellTest, IsNoAnswerToADeletion) {
  for (const auto* farewell : kFarewells) {
    serve_with("DELE", farewell);
    EXPECT_EQ(code_of(run(backend().remove(file_))), ErrorCode::unavailable) << farewell;
  }
}

TEST_F(FtpFarewellTest, IsNoAnswerToAFolderBeingMade) {
  for (const auto* farewell : kFarewells) {
    serve_with("MKD", farewell);
    EXPECT_EQ(code_of(run(backend().make_folder(other_))), ErrorCode::unavailable) << farewell;
  }
}

TEST_F(FtpFarewellTest, OfARenameIsNotTheOneThatItBeginsWith) {
  for (const auto* answer : {"250 Done", "221 Goodbye.", "350 Logout.", "550 Logout."}) {
    serve_with("RNFR", answer);
    EXPECT_EQ(code_of(run(backend().rename(file_, other_))), ErrorCode::unavailable) << answer;
    EXPECT_EQ(times_received("RNTO /other"), 0);
  }
}

TEST_F(FtpFarewellTest, SaysNothingOfWhatIsThere) {
  for (const auto* farewell : kFarewells) {
    serve_with("MLST /file", farewell);
    EXPECT_EQ(code_of(run(backend().stat(file_))), ErrorCode::unavailable) << farewell;
    reopen();
    serve({.replies = {{"SIZE", "550 No"}, {"CWD /file", farewell}}});
    EXPECT_EQ(code_of(run(backend().stat(file_))), ErrorCode::unavailable) << farewell;
  }
}

/// Where a file is read from its middle, other bytes would stand there.
TEST_F(FtpFarewellTest, IsNoPlaceToReadFrom) {
  for (const auto* answer : {"221 Goodbye.", "202 Superfluous", "200 Fine"}) {
    reopen();
    serve({.content = content(100'000), .replies = {{"REST", answer}}});
    const auto reader = run(backend().open(file_)).value();
    std::vector<std::byte> buffer(1000);
    EXPECT_FALSE(run(reader->read(50'000, buffer))) << answer;
  }
}

TEST_F(FtpFarewellTest, AWordOfThanksIsAnAnswer) {
  for (const auto* answer : {"200 Done", "250 Done", "257 Done", "253 Done"}) {
    serve_with("MKD", answer);
    EXPECT_TRUE(run(backend().make_folder(other_))) << answer;
  }
  serve_with("MKD", "202 Superfluous");
  EXPECT_EQ(code_of(run(backend().make_folder(other_))), ErrorCode::refused);
}

/// A common answer to `OPTS UTF8 ON`.
TEST_F(FtpFarewellTest, WhatIsSuperfluousDoesNotHarmALogin) {
  serve({.features = std::string(kMlst) + " UTF8\r\n",
         .listing = item("a"),
         .replies = {{"OPTS", "202 It is always on"}}});
  EXPECT_TRUE(list());
  EXPECT_EQ(server().logins(), 1);
}

}  // namespace
}  // namespace coffer::ftp
