#include "base/random.h"

#include <sys/random.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/text.h"

namespace coffer {

void fill_random(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

std::string random_hex(std::size_t bytes) {
  std::vector<std::byte> raw(bytes);
  fill_random(raw);
  return to_hex(raw);
}

std::string random_uuid() {
  std::byte raw[16];
  fill_random(raw);
  raw[6] = (raw[6] & std::byte{0x0F}) | std::byte{0x40};
  raw[8] = (raw[8] & std::byte{0x3F}) | std::byte{0x80};
  std::string text = to_hex(raw);
  for (const std::size_t at : {20, 16, 12, 8}) text.insert(at, 1, '-');
  return text;
}

}  // namespace coffer
