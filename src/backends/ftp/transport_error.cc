#include "backends/ftp/transport_error.h"

namespace coffer::ftp {

bool is_lost_connection(CURLcode code) {
  switch (code) {
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_COULDNT_CONNECT:  // Nothing but a login may connect.
    case CURLE_PARTIAL_FILE:
    case CURLE_WEIRD_SERVER_REPLY:
      return true;
    default:
      return false;
  }
}

Error transport_error(CURLcode code, const std::string& host) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorCode::unavailable, "The FTP server's name is not known: " + host + "."};
    case CURLE_COULDNT_CONNECT:
      return {ErrorCode::unavailable, "The FTP server cannot be reached."};
    case CURLE_LOGIN_DENIED:
    case CURLE_REMOTE_ACCESS_DENIED:
      return {ErrorCode::unavailable, "The FTP server refused the login."};
    case CURLE_USE_SSL_FAILED:
      return {ErrorCode::unavailable, "The FTP server does not offer TLS."};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return {ErrorCode::unavailable, "The FTP server's certificate is not trusted."};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_SHUTDOWN_FAILED:
      return {ErrorCode::unavailable, "The TLS connection to the FTP server failed."};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::failed, "The certificates to trust cannot be read."};
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_FTP_ACCEPT_TIMEOUT:
      return {ErrorCode::timed_out, "The FTP server did not answer in time."};
    case CURLE_FTP_WEIRD_PASV_REPLY:
    case CURLE_FTP_WEIRD_227_FORMAT:
    case CURLE_FTP_CANT_GET_HOST:
      return {ErrorCode::unavailable, "The FTP server does not open a data connection."};
    case CURLE_FTP_COULDNT_USE_REST:
    case CURLE_RANGE_ERROR:
    case CURLE_BAD_DOWNLOAD_RESUME:
      return {ErrorCode::refused, "The FTP server cannot read from the middle of a file."};
    case CURLE_OUT_OF_MEMORY:
      return {ErrorCode::failed, "There is too little memory."};
    default:
      return {ErrorCode::unavailable, "The connection to the FTP server broke."};
  }
}

}  // namespace coffer::ftp
