#include "backends/objects/s3/xml_answer.h"

#include <expat.h>

#include <climits>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace coffer::objects::s3 {
namespace {

constexpr std::size_t kMostNested = 8;
constexpr std::size_t kLongestText = 2048;  // A key has 1,024 bytes at most.
constexpr std::size_t kLongestCode = 64;

struct Reading {
  XML_Parser parser = nullptr;
  XmlAnswer answer = {};
  std::vector<std::string> path = {};  ///< The elements that are open.
  StoreError error = {};
  std::string text = {};
};

Reading& reading(void* self) {
  return *static_cast<Reading*>(self);
}

std::string_view local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);
}

/// The code stands in the log, where nothing from outside may look like a line of its own.
std::string code_of(std::string_view text) {
  std::string code;
  for (const char c : text.substr(0, kLongestCode)) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) code += c;
  }
  return code;
}

bool is_error(const std::vector<std::string>& path) {
  return path.back() == "Error" && path.size() <= 2;
}

bool is_listed_key(const std::vector<std::string>& path) {
  return path.size() == 3 && path[0] == "ListBucketResult" && path[1] == "Contents" &&
         path[2] == "Key";
}

void on_start(void* self, const XML_Char* name, const XML_Char** /*attributes*/) {
  Reading& now = reading(self);
  now.path.emplace_back(local_name(name));
  now.text.clear();
  if (now.path.size() == 1) now.answer.root = now.path.front();
  if (is_error(now.path)) now.error = {};
  if (now.path.size() > kMostNested) XML_StopParser(now.parser, XML_FALSE);
}

void on_text(void* self, const XML_Char* text, int size) {
  Reading& now = reading(self);
  now.text.append(text, static_cast<std::size_t>(size));
  if (now.text.size() > kLongestText) now.text.resize(kLongestText);
}

void on_end(void* self, const XML_Char* /*name*/) {
  Reading& now = reading(self);
  if (is_error(now.path)) {
    now.answer.errors.push_back(std::exchange(now.error, {}));
  } else if (now.path.back() == "Code") {
    now.error.code = code_of(now.text);
  } else if (is_listed_key(now.path)) {
    now.answer.keys.push_back(now.text);
  } else if (now.path.back() == "Key") {
    now.error.key = now.text;
  }
  now.text.clear();
  now.path.pop_back();
}

void on_document_type(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
  XML_StopParser(reading(self).parser, XML_FALSE);
}

}  // namespace

std::optional<XmlAnswer> parse_answer(std::string_view body) {
  if (body.size() > INT_MAX) return std::nullopt;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Reading now{.parser = parser.get()};
  XML_SetUserData(parser.get(), &now);
  XML_SetElementHandler(parser.get(), &on_start, &on_end);
  XML_SetCharacterDataHandler(parser.get(), &on_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), &on_document_type);
  const auto status = XML_Parse(parser.get(), body.data(), static_cast<int>(body.size()), XML_TRUE);
  if (status != XML_STATUS_OK) return std::nullopt;
  return std::move(now.answer);
}

}  // namespace coffer::objects::s3
