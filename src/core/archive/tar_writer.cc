#include "core/archive/tar_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "core/archive/utf8_thread.h"

namespace coffer::core {
namespace {

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

void set_format(::archive* archive, TarWriter::Packing packing) {
  check(::archive_write_set_format_pax(archive));
  if (packing == TarWriter::Packing::zstd) {
    check(::archive_write_add_filter_zstd(archive));
    // On their way archives are to keep up with lines: more would cost much and gain little.
    check(::archive_write_set_filter_option(archive, "zstd", "compression-level", "1"));
  }
  check(::archive_write_set_bytes_per_block(archive, 0));
}

Entry entry_of(const ArchiveHeader& header) {
  Entry entry(::archive_entry_new());
  ::archive_entry_copy_pathname(entry.get(), header.name.c_str());
  ::archive_entry_set_filetype(entry.get(), header.is_directory ? AE_IFDIR : AE_IFREG);
  ::archive_entry_set_perm(entry.get(), header.is_directory ? 0755 : 0644);
  ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(header.size_bytes));
  const auto since = header.modified_at.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  ::archive_entry_set_mtime(entry.get(), seconds.count(),
                            static_cast<long>((since - seconds).count()));
  return entry;
}

}  // namespace

struct TarWriter::State {
  std::unique_ptr<::archive, FreeArchive> archive{::archive_write_new()};
  std::string output;
  bool is_over = false;

  static la_ssize_t append(::archive* /*archive*/, void* given, const void* bytes,
                           std::size_t size) {
    auto& state = *static_cast<State*>(given);
    if (state.is_over) return -1;
    state.output.append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  }

  Result<void> broken() const {
    const char* const why = ::archive_error_string(archive.get());
    return fail(ErrorCode::failed, fmt::format("The archive cannot be continued: {}.",
                                               why ? why : "no reason is known"));
  }
};

TarWriter::TarWriter(Packing packing) : state_(std::make_unique<State>()) {
  const Utf8Thread utf8;
  ::archive* const archive = state_->archive.get();
  set_format(archive, packing);
  check(::archive_write_open(archive, state_.get(), nullptr, &State::append, nullptr));
}

TarWriter::~TarWriter() {
  const Utf8Thread utf8;
  // libarchive ends an archive when it is let go, and fills the rest of the entry with zeros,
  // however many, unless it cannot.
  state_->is_over = true;
  state_->archive.reset();
}

Result<void> TarWriter::add(const ArchiveHeader& header, std::span<const std::byte> content) {
  TRY_VOID(begin(header));
  TRY_VOID(write(content));
  return end_entry();
}

Result<void> TarWriter::begin(const ArchiveHeader& header) {
  const Utf8Thread utf8;
  ::archive* const archive = state_->archive.get();
  const Entry entry = entry_of(header);
  const int code = ::archive_write_header(archive, entry.get());
  if (code == ARCHIVE_OK || code == ARCHIVE_WARN) return {};
  if (code == ARCHIVE_FAILED) {
    return fail(ErrorCode::invalid, "An archive of this format cannot hold it.");
  }
  return state_->broken();
}

Result<void> TarWriter::write(std::span<const std::byte> content) {
  const Utf8Thread utf8;
  while (!content.empty()) {
    const la_ssize_t taken =
        ::archive_write_data(state_->archive.get(), content.data(), content.size());
    if (taken <= 0) return state_->broken();
    content = content.subspan(static_cast<std::size_t>(taken));
  }
  return {};
}

Result<void> TarWriter::end_entry() {
  const Utf8Thread utf8;
  const int code = ::archive_write_finish_entry(state_->archive.get());
  return code == ARCHIVE_OK || code == ARCHIVE_WARN ? Result<void>() : state_->broken();
}

Result<void> TarWriter::finish() {
  const Utf8Thread utf8;
  const int code = ::archive_write_close(state_->archive.get());
  return code == ARCHIVE_OK || code == ARCHIVE_WARN ? Result<void>() : state_->broken();
}

std::size_t TarWriter::output_bytes() const {
  return state_->output.size();
}

void TarWriter::take_output(std::string& into) {
  into.clear();
  std::swap(into, state_->output);
}

}  // namespace coffer::core
