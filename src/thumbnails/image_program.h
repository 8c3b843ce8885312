#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/error.h"
#include "confinement/confinement.h"

namespace coffer::thumbnails {

/// A file without a name, in memory alone (memfd_create(2)), for a program to read.
class MemoryFile {
 public:
  /// Throws std::system_error where the machine has no descriptor left.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// At its end; false where memory is short.
  bool append(std::span<const std::byte> bytes);
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

/// The program that makes images small: `vipsthumbnail` of libvips, confined. Safe from any thread.
class ImageProgram {
 public:
  /// Returns nullopt if the program is not installed, or cannot be confined.
  static std::optional<ImageProgram> find();

  /// Returns the image as WebP that fits into a square of so many pixels, upright, and no larger
  /// than it was; nullopt if it is no image that the program knows, or takes more memory or
  /// processor time than is allowed. Takes up to 20 seconds: to be called on a pool's thread.
  /// `overloaded` if no process can be started, or it gets too little of the machine.
  Result<std::optional<std::string>> shrink(const MemoryFile& image, unsigned pixels) const;

 private:
  ImageProgram(std::string path, confinement::Confinement confinement)
      : path_(std::move(path)), confinement_(std::move(confinement)) {}

  std::string path_;
  confinement::Confinement confinement_;
};

/// True if the name's extension is one of an image that the program may know.
bool is_image_name(std::string_view name);

}  // namespace coffer::thumbnails
