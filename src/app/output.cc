#include "app/output.h"

#include <fmt/format.h>

#include <cstdio>

namespace coffer::app {

void say(std::string_view line) {
  fmt::print("{}\n", line);
}

int complain(const Error& error) {
  return complain(error.message);
}

int complain(std::string_view thing, const Error& error) {
  return complain(fmt::format("{}: {}", thing, error.message));
}

int complain(std::string_view message) {
  fmt::print(stderr, "coffer: {}\n", message);
  return 1;
}

}  // namespace coffer::app
