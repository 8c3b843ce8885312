#include "core/archive/testing/packed.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "core/archive/utf8_thread.h"

namespace coffer::core {
namespace {

struct FreePacking {
  void operator()(::archive* archive) const { ::archive_write_free(archive); }
};
struct FreePackedEntry {
  void operator()(::archive_entry* entry) const { ::archive_entry_free(entry); }
};

void succeed(int code, ::archive* archive) {
  if (code == ARCHIVE_OK || code == ARCHIVE_WARN) return;
  const char* const why = ::archive_error_string(archive);
  throw std::runtime_error(why ? why : "it cannot be packed");
}

void set_format_of(::archive* archive, PackedAs format) {
  switch (format) {
    case PackedAs::stored_zip:
      succeed(::archive_write_set_format_zip(archive), archive);
      return succeed(::archive_write_zip_set_compression_store(archive), archive);
    case PackedAs::zip:
      return succeed(::archive_write_set_format_zip(archive), archive);
    case PackedAs::seven_zip:
      return succeed(::archive_write_set_format_7zip(archive), archive);
    default:
      succeed(::archive_write_set_format_pax_restricted(archive), archive);
  }
  if (format == PackedAs::tar_gz) succeed(::archive_write_add_filter_gzip(archive), archive);
  if (format == PackedAs::tar_bz2) succeed(::archive_write_add_filter_bzip2(archive), archive);
  if (format == PackedAs::tar_xz) succeed(::archive_write_add_filter_xz(archive), archive);
}

la_ssize_t append_output(::archive* /*archive*/, void* given, const void* bytes, std::size_t size) {
  static_cast<std::string*>(given)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

void add_item(::archive* archive, const ItemToPack& item) {
  const std::unique_ptr<::archive_entry, FreePackedEntry> entry(::archive_entry_new());
  ::archive_entry_copy_pathname(entry.get(), item.name.c_str());
  ::archive_entry_set_mode(entry.get(), static_cast<__LA_MODE_T>(item.file_type | 0644));
  ::archive_entry_set_mtime(entry.get(), item.modified_s, 0);
  ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(item.content.size()));
  if (item.is_hard_link) ::archive_entry_copy_hardlink(entry.get(), item.link_target.c_str());
  if (!item.is_hard_link && !item.link_target.empty()) {
    ::archive_entry_copy_symlink(entry.get(), item.link_target.c_str());
  }
  succeed(::archive_write_header(archive, entry.get()), archive);
  for (std::string_view rest = item.content; !rest.empty();) {
    const la_ssize_t taken = ::archive_write_data(archive, rest.data(), rest.size());
    if (taken <= 0) throw std::runtime_error("it cannot be packed");
    rest.remove_prefix(static_cast<std::size_t>(taken));
  }
}

}  // namespace

std::string pack(PackedAs format, const std::vector<ItemToPack>& items) {
  const Utf8Thread utf8;
  std::string output;
  const std::unique_ptr<::archive, FreePacking> archive(::archive_write_new());
  set_format_of(archive.get(), format);
  if (!items.empty() && !items.front().passphrase.empty()) {
    succeed(::archive_write_set_options(archive.get(), "zip:encryption=traditional"),
            archive.get());
    succeed(::archive_write_set_passphrase(archive.get(), items.front().passphrase.c_str()),
            archive.get());
  }
  succeed(::archive_write_set_bytes_in_last_block(archive.get(), 1), archive.get());
  succeed(::archive_write_open(archive.get(), &output, nullptr, &append_output, nullptr),
          archive.get());
  for (const ItemToPack& item : items) add_item(archive.get(), item);
  succeed(::archive_write_close(archive.get()), archive.get());
  return output;
}

std::optional<std::size_t> NotingHost::read(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= fails_at) return std::nullopt;
  if (offset >= archive_.size()) return 0;
  const std::size_t count = std::min<std::size_t>(out.size(), archive_.size() - offset);
  std::memcpy(out.data(), archive_.data() + offset, count);
  read_bytes += count;
  return count;
}

bool NotingHost::wants(const PackedItem& item) {
  items.push_back({item});
  return wants_all;
}

void NotingHost::add(std::span<const std::byte> content) {
  content_bytes += content.size();
  std::string& all = items.back().content;
  if (all.size() + content.size() > most_content_bytes) return;
  all.append(reinterpret_cast<const char*>(content.data()), content.size());
}

}  // namespace coffer::core
