// The port has no code: here its header is compiled as a part of this layer.
#include "backends/objects/blobs.h"
