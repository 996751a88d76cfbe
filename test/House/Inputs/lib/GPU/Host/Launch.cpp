#include "GPU/Kernel/Step.h"
#include "Launch.h"
