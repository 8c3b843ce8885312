#include "http/multipart.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <random>

#include "async/run.h"
#include "http/testing/memory_body.h"

namespace coffer::http {
namespace {

struct Part {
  std::string name;
  std::optional<std::string> file_name;
  std::string content;
  bool operator==(const Part&) const = default;
};
using Parts = std::vector<Part>;

Task<Result<Parts>> read_parts(Body& body, std::string boundary) {
  MultipartReader reader(body, std::move(boundary));
  Parts parts;
  for (;;) {
    auto head = co_await reader.next_part();
    if (!head) co_return failure_of(head);
    if (!*head) co_return parts;
    Part part{(*head)->name, (*head)->file_name, {}};
    for (;;) {
      const auto bytes = co_await reader.read();
      if (!bytes) co_return failure_of(bytes);
      if (bytes->empty()) break;
      part.content.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    parts.push_back(std::move(part));
  }
}

Result<Parts> parse(std::vector<std::string> pieces) {
  MemoryBody body(std::move(pieces));
  return run(read_parts(body, "boundary"));
}

Result<Parts> parse(std::string text) {
  return parse(std::vector<std::string>{std::move(text)});
}

bool is_invalid(std::string text) {
  const auto parts = parse(std::move(text));
  return !parts && parts.error().code == ErrorCode::invalid;
}

std::string part(std::string_view disposition, std::string_view content) {
  return "--boundary\r\nContent-Disposition: form-data; " + std::string(disposition) +
         "\r\nContent-Type: text/plain\r\n\r\n" + std::string(content) + "\r\n";
}

const std::string kEnd = "--boundary--\r\n";

/// Everything that a delimiter could be mistaken in, between two plain parts.
const std::string kTricky =
    "\r\n--boundar\r\n--boundaryX\r\n--boundary-\r\n--boundary-X\r--boundary\n--boundary--"
    "\r\r\n\r\n--\r\n--boundary\v\r\n -boundary\r\n";

std::string form() {
  return "The preamble\r\n--boundar\r\n" + part("name=\"a\"; filename=\"1.txt\"", "one") +
         part("name=\"b\"; filename=\"2.txt\"", kTricky) + part("name=c", "") + kEnd +
         "The epilogue\r\n--boundary\r\n";
}
const Parts kFormParts = {{"a", "1.txt", "one"}, {"b", "2.txt", kTricky}, {"c", {}, ""}};

std::vector<std::string> cut_at_random(const std::string& text, std::mt19937& random) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = 1 + random() % 12;
    pieces.push_back(text.substr(at, size));
    at += size;
  }
  return pieces;
}

TEST(Multipart, ReadsTheSamePartsWhereverTheBodyIsCut) {
  const std::string text = form();
  ASSERT_EQ(parse(text).value(), kFormParts);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    ASSERT_EQ(parse({text.substr(0, at), text.substr(at)}).value(), kFormParts) << at;
  }
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  EXPECT_EQ(parse(bytes).value(), kFormParts);
}

TEST(Multipart, ReadsTheSamePartsInAnyChunking) {
  std::mt19937 random(1);
  const std::string text = form();
  for (int round = 0; round < 500; ++round) {
    ASSERT_EQ(parse(cut_at_random(text, random)).value(), kFormParts) << round;
  }
}

TEST(Multipart, ReadsContentMadeOfPiecesOfTheDelimiter) {
  std::mt19937 random(2);
  const std::string_view pieces[] = {"\r", "\n", "\r\n", "-", "--", "bound", "boundary", "\r\n--b"};
  for (int round = 0; round < 500; ++round) {
    std::string content;
    for (int i = 0; i < 30; ++i) content += pieces[random() % std::size(pieces)];
    // A real delimiter may come together too; a character behind it makes it content.
    for (auto at = content.find("--boundary"); at != std::string::npos;
         at = content.find("--boundary", at + 1)) {
      content.insert(at + 10, 1, 'X');
    }
    const std::string text = part("name=a", content) + kEnd;
    const auto parts = parse(cut_at_random(text, random));
    ASSERT_TRUE(parts) << content;
    ASSERT_EQ(*parts, (Parts{{"a", {}, content}}));
  }
}

TEST(Multipart, TakesLinearWhiteSpaceBehindTheBoundary) {
  const std::string head = " \t \r\nContent-Disposition: form-data; name=a\r\n\r\n";
  EXPECT_EQ(parse("--boundary" + head + "x\r\n--boundary--  ").value(), (Parts{{"a", {}, "x"}}));
  EXPECT_TRUE(is_invalid("--boundary x" + head + "x\r\n--boundary--"));
}

TEST(Multipart, TakesAFormWithoutParts) {
  EXPECT_EQ(parse("--boundary--").value(), Parts());
  EXPECT_EQ(parse("\r\n--boundary--\r\nepilogue").value(), Parts());
  EXPECT_EQ(parse("preamble\r\n--boundary--").value(), Parts());
}

TEST(Multipart, TakesEmptyFilesAndEmptyFileNames) {
  const std::string text =
      part("name=f; filename=\"\"", "") + part("name=f; filename=\"a\"", "") + kEnd;
  EXPECT_EQ(parse(text).value(), (Parts{{"f", "", ""}, {"f", "a", ""}}));
}

TEST(Multipart, TakesManyParts) {
  std::string text;
  Parts expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string number = std::to_string(i);
    text += part("name=n" + number, number);
    expected.push_back({"n" + number, {}, number});
  }
  EXPECT_EQ(parse(text + kEnd).value(), expected);
}

TEST(Multipart, RefusesABodyThatEndsBeforeItsClosingBoundary) {
  const std::string text = part("name=a", "content") + "--boundary--";
  ASSERT_TRUE(parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_TRUE(is_invalid(text.substr(0, size))) << size;
  }
}

TEST(Multipart, PassesTheErrorOfTheBodyOn) {
  MemoryBody body(std::vector<std::string>{part("name=a", "content")});
  body.fail_at_end({ErrorCode::timed_out, "Too slow."});
  const auto parts = run(read_parts(body, "boundary"));
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().code, ErrorCode::timed_out);
}

TEST(Multipart, LimitsThePartsHeadInAnyChunking) {
  const std::string line = "\r\nContent-Disposition: form-data; name=a\r\nX: ";
  for (const std::size_t size : {16384u, 16385u}) {
    const std::string head = line + std::string(size - line.size(), 'x');
    const std::string text = "--boundary" + head + "\r\n\r\nx\r\n--boundary--";
    for (std::size_t cut = size; cut < size + 20; ++cut) {
      EXPECT_EQ(parse({text.substr(0, cut), text.substr(cut)}).has_value(), size == 16384u) << cut;
    }
  }
  EXPECT_TRUE(is_invalid("--boundary\r\nX: " + std::string(1 << 20, 'x')));
}

TEST(Multipart, RefusesPartsThatAreNoFormData) {
  const std::string end = "\r\n\r\nx\r\n--boundary--";
  EXPECT_TRUE(is_invalid("--boundary\r\n\r\nx\r\n--boundary--"));
  EXPECT_TRUE(is_invalid("--boundary\r\nContent-Type: text/plain" + end));
  EXPECT_TRUE(is_invalid("--boundary\r\nContent-Disposition: attachment; name=a" + end));
  EXPECT_TRUE(is_invalid("--boundary\r\nContent-Disposition: form-data" + end));
}

Task<std::vector<std::string>> names_alone(Body& body) {
  MultipartReader reader(body, "boundary");
  std::vector<std::string> names;
  for (;;) {
    const auto head = co_await reader.next_part();
    if (!head.value()) co_return names;
    names.push_back((*head)->name);
  }
}

TEST(Multipart, SkipsContentThatNobodyReads) {
  MemoryBody body(form());
  EXPECT_EQ(run(names_alone(body)), (std::vector<std::string>{"a", "b", "c"}));
}

/// A part of `count` pieces that takes no more memory than one of them.
class LongBody final : public Body {
 public:
  explicit LongBody(std::size_t count) : left_(count) {}
  std::optional<std::uint64_t> length() const override { return std::nullopt; }
  Task<Result<std::span<const std::byte>>> read() override {
    if (!begun_) {
      begun_ = true;
      co_return bytes_of(head_);
    }
    if (left_ > 0) {
      --left_;
      co_return bytes_of(piece_);
    }
    if (ended_) co_return std::span<const std::byte>();
    ended_ = true;
    co_return bytes_of(end_);
  }
  const std::string& piece() const { return piece_; }

 private:
  static std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
  }
  const std::string head_ = part("name=a", "").substr(0, part("name=a", "").size() - 2);
  const std::string piece_ = std::string(100'000, 'x') + "\r\n--bound";
  const std::string end_ = "\r\n--boundary--";
  std::size_t left_;
  bool begun_ = false;
  bool ended_ = false;
};

std::size_t memory_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Usage {
  std::uint64_t content_bytes = 0;
  std::size_t most_memory_bytes = 0;
};

Task<Usage> usage_of(Body& body) {
  MultipartReader reader(body, "boundary");
  Usage usage;
  const auto head = co_await reader.next_part();
  while (head) {
    const auto bytes = co_await reader.read();
    if (bytes.value().empty()) break;
    usage.content_bytes += bytes->size();
    usage.most_memory_bytes = std::max(usage.most_memory_bytes, memory_in_use());
  }
  co_return usage;
}

TEST(Multipart, TakesNoMoreMemoryForMoreContent) {
  LongBody body(500);
  const std::size_t before = memory_in_use();
  const Usage usage = run(usage_of(body));
  EXPECT_EQ(usage.content_bytes, 500u * body.piece().size());
  EXPECT_LT(usage.most_memory_bytes, before + 5 * body.piece().size());
}

TEST(Multipart, FindsTheBoundaryOfAContentType) {
  const auto boundary = [](std::string_view type) {
    return MultipartReader::boundary_of(type).value_or("none");
  };
  EXPECT_EQ(boundary("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(boundary("Multipart/Form-Data;charset=utf-8;BOUNDARY=\"a b:c\""), "a b:c");
  EXPECT_EQ(boundary("multipart/form-data; boundary=" + std::string(70, 'b')),
            std::string(70, 'b'));
  for (const std::string& type :
       {std::string(), std::string("multipart/form-data"), std::string("text/plain; boundary=a"),
        std::string("multipart/mixed; boundary=a"), std::string("multipart/form-data; boundary="),
        std::string("multipart/form-data; boundary=\"a \""),
        std::string("multipart/form-data; boundary=\"a"),
        std::string("multipart/form-data; boundary=a\"b"),
        std::string("multipart/form-data; boundary=a; boundary=b"),
        "multipart/form-data; boundary=" + std::string(71, 'b')}) {
    EXPECT_EQ(boundary(type), "none") << type;
  }
}

}  // namespace
}  // namespace coffer::http
