#include "core/archive/archive_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/path.h"
#include "core/archive/utf8_thread.h"

namespace coffer::core {
namespace {

/// Files with these extensions are compressed already.
constexpr std::array<std::string_view, 36> kPacked = {
    ".7z",   ".aac",  ".apk", ".avi",  ".avif", ".br",   ".bz2",  ".cbz",  ".docx",
    ".epub", ".flac", ".gif", ".gz",   ".heic", ".jar",  ".jpeg", ".jpg",  ".m4a",
    ".m4v",  ".mkv",  ".mov", ".mp3",  ".mp4",  ".odt",  ".ogg",  ".opus", ".png",
    ".pptx", ".rar",  ".tgz", ".webm", ".webp", ".xlsx", ".xz",   ".zip",  ".zst"};

bool is_packed(std::string_view name) {
  std::string extension(extension_of(name));
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::binary_search(kPacked, extension);
}

struct FreeArchive {
  void operator()(::archive* archive) const { ::archive_write_free(archive); }
};
struct FreeEntry {
  void operator()(::archive_entry* entry) const { ::archive_entry_free(entry); }
};
using Entry = std::unique_ptr<::archive_entry, FreeEntry>;

void check(int code) {
  if (code != ARCHIVE_OK) throw std::runtime_error("libarchive lacks what archives are made with");
}

void set_format(::archive* archive, ArchiveFormat format) {
  if (format == ArchiveFormat::zip) {
    check(::archive_write_set_format_zip(archive));
    check(::archive_write_set_format_option(archive, "zip", "hdrcharset", "UTF-8"));
    // On their way archives are to keep up with lines: more would cost much and gain little.
    check(::archive_write_set_format_option(archive, "zip", "compression-level", "1"));
  } else {
    check(::archive_write_set_format_pax(archive));
  }
  if (format == ArchiveFormat::tar_zst) {
    check(::archive_write_add_filter_zstd(archive));
    // As for zip: it keeps up with the line, and takes little memory.
    check(::archive_write_set_filter_option(archive, "zstd", "compression-level", "1"));
  }
  check(::archive_write_set_bytes_per_block(archive, 0));
}

Entry entry_of(const ArchiveHeader& header, bool tells_size) {
  Entry entry(::archive_entry_new());
  ::archive_entry_copy_pathname(entry.get(), header.name.c_str());
  ::archive_entry_set_filetype(entry.get(), header.is_directory ? AE_IFDIR : AE_IFREG);
  ::archive_entry_set_perm(entry.get(), header.is_directory ? 0755 : 0644);
  if (tells_size) {
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(header.size_bytes));
  }
  const auto since = header.modified_at.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  ::archive_entry_set_mtime(entry.get(), seconds.count(),
                            static_cast<long>((since - seconds).count()));
  return entry;
}

}  // namespace

/// The output of libarchive.
enum class Output : std::uint8_t { kept, dropped, refused };

struct ArchiveWriter::State {
  std::unique_ptr<::archive, FreeArchive> archive{::archive_write_new()};
  std::string output;
  Output takes = Output::kept;

  static la_ssize_t append(::archive* /*archive*/, void* given, const void* bytes,
                           std::size_t size) {
    auto& state = *static_cast<State*>(given);
    if (state.takes == Output::refused) return -1;
    if (state.takes == Output::kept) state.output.append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  }

  Result<void> broken() const {
    const char* const why = ::archive_error_string(archive.get());
    return fail(ErrorCode::failed, fmt::format("The archive cannot be continued: {}.",
                                               why ? why : "no reason is known"));
  }
};

ArchiveWriter::ArchiveWriter(ArchiveFormat format)
    : format_(format), state_(std::make_unique<State>()) {
  const Utf8Thread utf8;
  ::archive* const archive = state_->archive.get();
  set_format(archive, format);
  check(::archive_write_open(archive, state_.get(), nullptr, &State::append, nullptr));
}

ArchiveWriter::~ArchiveWriter() {
  const Utf8Thread utf8;
  // libarchive lets go of all its memory only where it ends an archive. It ends a zip in a few
  // bytes, but fills the rest of a tar's entry with zeros, however many, unless it cannot.
  state_->takes = format_ == ArchiveFormat::zip ? Output::dropped : Output::refused;
  state_->archive.reset();
}

Result<void> ArchiveWriter::begin(const ArchiveHeader& header) {
  const Utf8Thread utf8;
  ::archive* const archive = state_->archive.get();
  const bool is_zip = format_ == ArchiveFormat::zip;
  if (is_zip && is_packed(header.name)) {
    check(::archive_write_zip_set_compression_store(archive));
  } else if (is_zip) {
    check(::archive_write_zip_set_compression_deflate(archive));
  }
  const bool tells_size = !is_zip || !header.may_end_early;
  const Entry entry = entry_of(header, tells_size);
  const int code = ::archive_write_header(archive, entry.get());
  if (code == ARCHIVE_OK || code == ARCHIVE_WARN) return {};
  if (code == ARCHIVE_FAILED) {
    return fail(ErrorCode::invalid, "An archive of this format cannot hold it.");
  }
  return state_->broken();
}

Result<void> ArchiveWriter::write(std::span<const std::byte> content) {
  const Utf8Thread utf8;
  while (!content.empty()) {
    const la_ssize_t taken =
        ::archive_write_data(state_->archive.get(), content.data(), content.size());
    if (taken <= 0) return state_->broken();
    content = content.subspan(static_cast<std::size_t>(taken));
  }
  return {};
}

Result<void> ArchiveWriter::end_entry() {
  const Utf8Thread utf8;
  const int code = ::archive_write_finish_entry(state_->archive.get());
  return code == ARCHIVE_OK || code == ARCHIVE_WARN ? Result<void>() : state_->broken();
}

Result<void> ArchiveWriter::finish() {
  const Utf8Thread utf8;
  const int code = ::archive_write_close(state_->archive.get());
  return code == ARCHIVE_OK || code == ARCHIVE_WARN ? Result<void>() : state_->broken();
}

std::size_t ArchiveWriter::output_bytes() const {
  return state_->output.size();
}

void ArchiveWriter::take_output(std::string& into) {
  into.clear();
  std::swap(into, state_->output);
}

}  // namespace coffer::core
