#include "core/archive/archive_formats.h"

#include <utility>

#include "core/archive/tar_writer.h"
#include "core/archive/zip_writer.h"

namespace coffer::core {

std::unique_ptr<ArchiveWriter> make_archive_writer(ArchiveFormat format) {
  switch (format) {
    case ArchiveFormat::zip:
      return std::make_unique<ZipWriter>();
    case ArchiveFormat::tar:
      return std::make_unique<TarWriter>(TarWriter::Packing::none);
    case ArchiveFormat::tar_zst:
      return std::make_unique<TarWriter>(TarWriter::Packing::zstd);
  }
  std::unreachable();
}

}  // namespace coffer::core
