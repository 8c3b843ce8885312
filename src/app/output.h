#pragma once

#include <string_view>

#include "base/error.h"

/// What commands print. Not safe from several threads.
namespace coffer::app {

/// Prints a line to standard output.
void print(std::string_view line);
/// `failed` with why, unless all that was printed since the last call has been written.
Result<void> flush_output();

/// Errors and warnings are printed as JSON from now on, errors with the members of the API's.
void print_errors_as_json();

/// Prints something to know about to standard error, as one line.
void warn(std::string_view message);

/// Prints an error as one clear line to standard error; the exit status to return with it.
int complain(const Error& error);
/// The same, saying first which thing it is about.
int complain(std::string_view thing, const Error& error);
int complain(std::string_view message);

}  // namespace coffer::app
