#include "thumbnails/image_program.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace coffer::thumbnails {
namespace {

using Small = Result<std::optional<std::string>>;

Small shrink(std::string_view bytes, unsigned pixels = 64) {
  const auto program = ImageProgram::find();
  if (!program) return fail(ErrorCode::failed, "vipsthumbnail is missing");
  MemoryFile file;
  EXPECT_TRUE(file.append(std::as_bytes(std::span(bytes))));
  return program->shrink(file, pixels);
}

/// A GIF of one white pixel; its screen can be said to be larger.
std::string gif(unsigned char low = 1, unsigned char high = 0) {
  std::string bytes(
      "GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02"
      "D\x01\0;",
      35);
  for (const std::size_t at : {6U, 8U}) {
    bytes.at(at) = static_cast<char>(low);
    bytes.at(at + 1) = static_cast<char>(high);
  }
  return bytes;
}

TEST(ImageProgramTest, MakesAnImage) {
  const Small small = shrink(gif());
  ASSERT_TRUE(small) << small.error().message;
  ASSERT_TRUE(*small);
  EXPECT_TRUE((*small)->starts_with("RIFF"));
}

TEST(ImageProgramTest, MakesNothingOfWhatIsNoImage) {
  for (const std::string& bytes :
       {std::string(), std::string("text"), std::string(100'000, '\0'), gif().substr(0, 12),
        std::string("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"),
        std::string("%PDF-1.4\n"), std::string("push graphic-context\nimage Over 0,0 1,1 'x'\n")}) {
    const Small small = shrink(bytes);
    ASSERT_TRUE(small) << small.error().message;
    EXPECT_FALSE(*small) << bytes.substr(0, 20);
  }
}

TEST(ImageProgramTest, IsBoundedInMemory) {
  const Small small = shrink(gif(0xff, 0xff));
  ASSERT_TRUE(small) << small.error().message;
}

TEST(ImageProgramTest, KnowsImagesByHowTheyBegin) {
  using namespace std::string_view_literals;
  const auto begins = [](std::string_view bytes) {
    return is_image(std::as_bytes(std::span(bytes)));
  };
  for (const auto image : {"\xFF\xD8\xFF\xE0"sv, "\x89PNG\r\n\x1A\n...."sv, "GIF89a"sv,
                           "RIFF....WEBPVP8 "sv, "II*\0"sv, "MM\0*"sv, "II+\0"sv, "....ftypavif"sv,
                           "....ftypheic...."sv, "....ftypmif1"sv}) {
    EXPECT_TRUE(begins(image)) << image;
  }
  for (const auto other : {""sv, "\xFF\xD8"sv, "RIFF....WAVE"sv, "....ftypmp42"sv, "....ftyp"sv,
                           "%PDF-1.7....."sv, "<svg xmlns="sv, "text"sv}) {
    EXPECT_FALSE(begins(other)) << other;
  }
}

}  // namespace
}  // namespace coffer::thumbnails
