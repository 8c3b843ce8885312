#include "app/output.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace coffer::app {

void print(std::string_view line) {
  fmt::print("{}\n", line);
}

int complain(const Error& error) {
  return complain(error.message);
}

int complain(std::string_view thing, const Error& error) {
  const std::string prefix = fmt::format("{}: ", thing);
  // What a mount says begins with its name already.
  return complain(error.message.starts_with(prefix) ? error.message : prefix + error.message);
}

int complain(std::string_view message) {
  fmt::print(stderr, "coffer: {}\n", message);
  return 1;
}

}  // namespace coffer::app
