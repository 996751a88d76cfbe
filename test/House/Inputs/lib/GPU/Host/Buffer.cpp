#include "Launch.h"
