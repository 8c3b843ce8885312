#pragma once

#include <cstdint>
#include <memory>

#include "base/enum_words.h"
#include "core/archive/archive_writer.h"

namespace coffer::core {

/// The format of an archive. Its word (see words_of) is also the file extension of such archives.
enum class ArchiveFormat : std::uint8_t { zip, tar, tar_zst };
constexpr auto words_of(ArchiveFormat) {
  using enum ArchiveFormat;
  return enum_words<ArchiveFormat>({{zip, "zip"}, {tar, "tar"}, {tar_zst, "tar.zst"}});
}

/// Returns a writer of the format: a ZipWriter or a TarWriter.
std::unique_ptr<ArchiveWriter> make_archive_writer(ArchiveFormat format);

}  // namespace coffer::core
