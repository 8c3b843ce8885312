#include "core/archive/testing/unpacked.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <memory>
#include <stdexcept>

namespace coffer::core {
namespace {

struct FreeArchive {
  void operator()(::archive* archive) const { ::archive_read_free(archive); }
};

void check(bool good, ::archive* archive) {
  if (good) return;
  const char* const why = ::archive_error_string(archive);
  throw std::runtime_error(why ? why : "the archive is broken");
}

std::string content_of(::archive* archive) {
  std::string content;
  char block[65536];
  for (;;) {
    const la_ssize_t got = ::archive_read_data(archive, block, sizeof block);
    check(got >= 0, archive);
    if (got == 0) return content;
    content.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::map<std::string, UnpackedEntry> unpack(std::string_view bytes) {
  // libarchive takes names for what the thread's locale says.
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
  ::uselocale(utf8);
  const std::unique_ptr<::archive, FreeArchive> archive(::archive_read_new());
  ::archive_read_support_filter_all(archive.get());
  ::archive_read_support_format_all(archive.get());
  check(::archive_read_open_memory(archive.get(), bytes.data(), bytes.size()) == ARCHIVE_OK,
        archive.get());
  std::map<std::string, UnpackedEntry> all;
  ::archive_entry* entry = nullptr;
  int code = ARCHIVE_OK;
  while ((code = ::archive_read_next_header(archive.get(), &entry)) == ARCHIVE_OK) {
    UnpackedEntry unpacked;
    unpacked.is_directory = ::archive_entry_filetype(entry) == AE_IFDIR;
    unpacked.modified_at =
        timestamp_of(::archive_entry_mtime(entry), ::archive_entry_mtime_nsec(entry));
    const std::string name = ::archive_entry_pathname_utf8(entry);
    unpacked.content = content_of(archive.get());
    check(all.emplace(name, std::move(unpacked)).second, archive.get());
  }
  check(code == ARCHIVE_EOF, archive.get());
  return all;
}

}  // namespace coffer::core
