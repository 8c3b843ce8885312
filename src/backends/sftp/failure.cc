#include "backends/sftp/failure.h"

#include "backends/remote/adapter.h"

namespace coffer::sftp {

std::unexpected<Error> fail_with(Status status) {
  switch (status) {
    case Status::no_such_file:
    case Status::no_such_path:
      return remote::fail_missing();
    case Status::permission_denied:
    case Status::write_protected:
      return fail(ErrorCode::forbidden, "The remote server does not allow this.");
    case Status::already_exists:
      return remote::fail_taken();
    case Status::not_a_folder:
      return fail(ErrorCode::invalid, "A file stands where a folder is needed.");
    case Status::no_space:
    case Status::quota_exceeded:
      return fail(ErrorCode::refused, "The remote server has no space left.");
    case Status::unsupported:
      return fail(ErrorCode::refused, "The remote server cannot do this.");
    case Status::no_connection:
    case Status::connection_lost:
      return fail_lost();
    case Status::ok:
    case Status::end_of_file:
      return fail_garbled();
    case Status::bad_message:  // OpenSSH says so of names that are too long.
    case Status::failure:
      break;
  }
  return fail(ErrorCode::refused, "The remote server could not do this.");
}

std::unexpected<Error> fail_lost() {
  return fail(ErrorCode::unavailable, "The connection to the remote server was lost.");
}

std::unexpected<Error> fail_late() {
  return fail(ErrorCode::timed_out, "The remote server did not answer in time.");
}

std::unexpected<Error> fail_garbled() {
  return fail(ErrorCode::unavailable, "The remote server sent a reply that is not valid SFTP.");
}

std::unexpected<Error> fail_without_size() {
  return fail(ErrorCode::refused, "The remote server does not tell the file's size.");
}

}  // namespace coffer::sftp
