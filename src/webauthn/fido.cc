#include "webauthn/fido.h"

namespace coffer::webauthn::fido {

LateLibrary library("libfido2.so.1");

}  // namespace coffer::webauthn::fido
