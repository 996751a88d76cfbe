#include "PIT/Conversion/Passes.h"
