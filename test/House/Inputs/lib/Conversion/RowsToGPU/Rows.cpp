  #  include "Conversion/SumsToGPU/Sums.h"
// #include "GPU/Host/Launch.h"
