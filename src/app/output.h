#pragma once

#include <string_view>

#include "base/error.h"

namespace coffer::app {

/// Prints a line to standard output.
void print(std::string_view line);

/// Prints an error as one clear line to standard error; the exit status to return with it.
int complain(const Error& error);
/// The same, saying first which thing it is about.
int complain(std::string_view thing, const Error& error);
int complain(std::string_view message);

}  // namespace coffer::app
