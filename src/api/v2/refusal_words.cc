#include "api/v2/refusal_words.h"

namespace coffer::api::v2 {
namespace {

struct Known {
  std::string_view beginning;
  std::string_view word;
};

/// How sentences begin. Tasks are kept with their sentences, also those of earlier versions.
constexpr Known kKnown[] = {
    {"A folder cannot go into itself", "into_itself"},
    {"A folder cannot be put into itself", "into_itself"},
    {"The destination is not a folder", "not_a_folder"},
    {"This is a file, not a folder", "not_a_folder"},
    {"This is not a folder", "not_a_folder"},
    {"It is a link", "is_link"},
    {"It is a special file", "special_file"},
    {"The name is ", "name_not_allowed"},
    {"The name holds ", "name_not_allowed"},
    {"The names \".\" and ", "name_not_allowed"},
    {"Names at the root must not ", "name_not_allowed"},
    {"This name is reserved", "name_not_allowed"},
    {"Its name is not ", "name_not_allowed"},
    {"It is encrypted", "archive_encrypted"},
    {"It is damaged", "archive_damaged"},
    {"It is a zip that is damaged", "archive_damaged"},
    {"It is no archive ", "archive_damaged"},
    {"It unpacks to more than ", "archive_too_large"},
    {"Its unpacked size is more than ", "archive_too_large"},
    {"It has more than ", "archive_too_large"},
    {"It is compressed more than once", "archive_too_large"},
    {"Its folders are nested too deeply", "too_deep"},
    {"It was created or changed after the task began", "created_since"},
    {"The disk is full", "disk_full"},
    {"The file is larger than the file system", "disk_full"},
    {"The server's disk is full", "disk_full"},
};

}  // namespace

std::optional<std::string_view> refusal_word(std::string_view sentence) {
  // What failed may stand in front, quoted: `"photos.zip": It is encrypted.`
  if (const auto quoted = sentence.rfind("\": "); quoted != std::string_view::npos) {
    sentence.remove_prefix(quoted + 3);
  }
  // Or an item of an archive: `"a.txt" in it is left out. It is encrypted.`
  constexpr std::string_view kLeftOut = " in it is left out. ";
  if (const auto left = sentence.rfind(kLeftOut); left != std::string_view::npos) {
    sentence.remove_prefix(left + kLeftOut.size());
  }
  // A taken name is one of the codes.
  if (sentence == "The name is taken.") return std::nullopt;
  for (const Known& known : kKnown) {
    if (sentence.starts_with(known.beginning)) return known.word;
  }
  return std::nullopt;
}

}  // namespace coffer::api::v2
