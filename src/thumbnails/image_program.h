#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/error.h"
#include "confinement/confinement.h"

namespace coffer::thumbnails {

/// An unnamed file in memory (memfd_create(2)), from which a program can read.
class MemoryFile {
 public:
  /// Throws std::system_error if no descriptor is left.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Appends the bytes. Returns false if there is not enough memory.
  bool append(std::span<const std::byte> bytes);
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

/// Makes thumbnails with libvips' program `vipsthumbnail`, and confines it. Safe from any thread.
class ImageProgram {
 public:
  /// Finds the program. Returns nullopt if it is not installed or cannot be confined.
  static std::optional<ImageProgram> find();

  /// Returns the image as WebP, turned upright and scaled down to fit into a square of `pixels` by
  /// `pixels`. A smaller image is not enlarged. Returns nullopt if the program cannot read the
  /// image, or needs more memory or processor time than allowed. `overloaded` if no process can be
  /// started, or if the program runs for more than 20 seconds. Must be called on a pool's thread,
  /// because the call blocks until the program ends.
  Result<std::optional<std::string>> shrink(const MemoryFile& image, unsigned pixels) const;

 private:
  ImageProgram(std::string path, confinement::Confinement confinement)
      : path_(std::move(path)), confinement_(std::move(confinement)) {}

  std::string path_;
  confinement::Confinement confinement_;
};

/// Returns true if a file that begins with these bytes has an image format that the program may
/// support. 12 bytes are enough.
bool is_image(std::span<const std::byte> beginning);

}  // namespace coffer::thumbnails
