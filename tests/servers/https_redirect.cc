#include "servers/https_redirect.h"

#include <vector>

namespace coffer::servers {
namespace {

constexpr const char* kProgram = R"(
import http.server, ssl, sys
port, certificate, key, target = sys.argv[1:]
class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.send_response(302)
        self.send_header("Location", target + self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()
    do_GET = do_HEAD = do_PROPFIND = answer
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
)";

}  // namespace

HttpsRedirect::HttpsRedirect(const Certificate& certificate, const std::string& target) {
  const auto command = [&](std::uint16_t port) {
    return std::vector<std::string>{
        "python3",       "-c",  kProgram, std::to_string(port), certificate.certificate,
        certificate.key, target};
  };
  process_ = std::make_unique<ServerProcess>(command, scratch_.path() / "redirect.log");
}

}  // namespace coffer::servers
