#include "PIT/Target/PTX/PTX.h"
