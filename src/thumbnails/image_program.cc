#include "thumbnails/image_program.h"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/child_process.h"

namespace coffer::thumbnails {

MemoryFile::MemoryFile() : descriptor_(::memfd_create("image", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

bool MemoryFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

namespace {

using Clock = std::chrono::steady_clock;
using confinement::Confinement;

constexpr confinement::Bounds kBounds{.memory_bytes = std::uint64_t{768} << 20, .seconds = 10};
/// A limit that only an overloaded machine reaches.
constexpr auto kWithin = std::chrono::seconds(20);
constexpr std::size_t kLargestBytes = std::size_t{4} * 1024 * 1024;
constexpr std::array kFolders = {"/usr/local/bin/", "/usr/bin/"};
/// How files begin whose decoders libvips trusts with untrusted input, and that Debian builds it
/// with: JPEG, PNG, GIF, TIFF in both orders and BigTIFF.
constexpr std::array<std::string_view, 8> kBeginnings = {"\xFF\xD8\xFF",
                                                         "\x89PNG\r\n\x1A\n",
                                                         "GIF87a",
                                                         "GIF89a",
                                                         std::string_view("II*\0", 4),
                                                         std::string_view("MM\0*", 4),
                                                         std::string_view("II+\0", 4),
                                                         std::string_view("MM\0+", 4)};
/// Major brands of ISO base media (ISO/IEC 14496-12, 23008-12) that are images: AVIF and HEIF.
constexpr std::array<std::string_view, 9> kBrands = {"avif", "avis", "heic", "heix", "heim",
                                                     "heis", "hevc", "mif1", "msf1"};
/// In the child, where only system calls are safe.
[[noreturn]] void become(char* const* arguments, char* const* environment, int image, int output,
                         pid_t parent, const Confinement& confinement) {
  const bool fit = prepare_child(parent, image, output, -1);
  if (fit && ::lseek(0, 0, SEEK_SET) == 0 && confinement.enter()) {
    ::execve(arguments[0], arguments, environment);
  }
  ::_exit(127);
}

/// Reads until the end; returns nullopt if that is too late or too much.
std::optional<std::string> read_all(int from, Clock::time_point until) {
  std::string all;
  std::array<char, 16 * 1024> piece{};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd watched{.fd = from, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&watched, 1, std::max<int>(0, static_cast<int>(left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    const auto got = ::read(from, piece.data(), piece.size());
    if (got == 0) return all;
    if (got < 0 || all.size() + static_cast<std::size_t>(got) > kLargestBytes) return std::nullopt;
    all.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

bool is_image(std::span<const std::byte> beginning) {
  const std::string_view bytes(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  if (std::ranges::any_of(kBeginnings, [&](auto known) { return bytes.starts_with(known); })) {
    return true;
  }
  if (bytes.size() < 12) return false;
  if (bytes.starts_with("RIFF")) return bytes.substr(8, 4) == "WEBP";
  return bytes.substr(4, 4) == "ftyp" &&
         std::ranges::find(kBrands, bytes.substr(8, 4)) != kBrands.end();
}

std::optional<ImageProgram> ImageProgram::find() {
  auto confinement = Confinement::make(kBounds);
  if (!confinement) return std::nullopt;
  for (const char* folder : kFolders) {
    std::string path = folder + std::string("vipsthumbnail");
    if (::access(path.c_str(), X_OK) == 0) return ImageProgram(path, *confinement);
  }
  return std::nullopt;
}

Result<std::optional<std::string>> ImageProgram::shrink(const MemoryFile& image,
                                                        unsigned pixels) const {
  const std::string side = std::to_string(pixels);
  std::vector<std::string> arguments = {
      path_, "stdin", "--size", side + 'x' + side + '>', "--output", ".webp[Q=80,strip]"};
  // Loaders that libvips does not hold to be safe are out; files on disk are not to be made.
  std::vector<std::string> environment = {"PATH=/usr/bin", "LC_ALL=C", "VIPS_BLOCK_UNTRUSTED=1",
                                          "VIPS_CONCURRENCY=1", "VIPS_DISC_THRESHOLD=4g"};
  const auto argument_pointers = pointers(arguments);
  const auto environment_pointers = pointers(environment);
  Pipe output;
  const pid_t parent = ::getpid();
  const pid_t child = output.is_open() ? ::fork() : -1;
  if (child < 0) return fail(ErrorCode::overloaded, "No thumbnail can be made at the moment.");
  if (child == 0) {
    become(argument_pointers.data(), environment_pointers.data(), image.descriptor(), output.to(),
           parent, confinement_);
  }
  output.close_to();
  const auto until = Clock::now() + kWithin;
  auto small = read_all(output.from(), until);
  const bool is_late = !small && Clock::now() >= until;
  if (!small) ::kill(child, SIGKILL);
  const int status = reap_child(child);
  if (is_late) return fail(ErrorCode::overloaded, "Making the thumbnail took too long.");
  if (status != 0 || !small || small->empty()) return std::nullopt;
  return small;
}

}  // namespace coffer::thumbnails
