#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "confinement/confinement.h"
#include "thumbnails/memory_file.h"

namespace coffer::thumbnails {

/// The program that makes images small: `vipsthumbnail` of libvips, confined. Safe from any thread.
class ImageProgram {
 public:
  /// Nothing where the program is not installed, or cannot be confined.
  static std::optional<ImageProgram> find();

  /// The image as WebP that fits into a square of so many pixels, upright, and no larger than it
  /// was; nothing if it is none that the program knows, or takes more memory or processor time than
  /// there is for one. Takes up to 20 seconds: to be called on a pool's thread. `overloaded` where
  /// no process can be started, or gets too little of the machine.
  Result<std::optional<std::string>> shrink(const MemoryFile& image, unsigned pixels) const;

 private:
  ImageProgram(std::string path, confinement::Confinement confinement)
      : path_(std::move(path)), confinement_(std::move(confinement)) {}

  std::string path_;
  confinement::Confinement confinement_;
};

/// Whether the name's extension is that of an image which the program may know.
bool is_image_name(std::string_view name);

}  // namespace coffer::thumbnails
