// Below what it includes.
#include "GPU/Host/Launch.h"
