#include "servers/certificate.h"

#include <fstream>

#include "servers/server_process.h"

namespace coffer::servers {

Certificate::Certificate(const std::filesystem::path& folder)
    : certificate(folder / "cert.pem"), key(folder / "key.pem"), both(folder / "both.pem") {
  run_program({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
               "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key.string(), "-out",
               certificate.string()},
              folder / "openssl.log");
  std::ofstream joined(both);
  joined << std::ifstream(key).rdbuf() << std::ifstream(certificate).rdbuf();
}

}  // namespace coffer::servers
