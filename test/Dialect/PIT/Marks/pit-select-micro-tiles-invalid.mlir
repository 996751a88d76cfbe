// RUN: not pit-opt %s --pit-select-micro-tiles=database=%t/none.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: echo '{"chip": "c", "device": "d", "element": "bf16", "products": []}' > %t.json
// RUN: not pit-opt %s --pit-select-micro-tiles=database=%t.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY

// NONE: error: pit-select-micro-tiles: {{.*}}none.json: {{[Nn]}}o such file or directory
// EMPTY: error: pit-select-micro-tiles: {{.*}}.json: expected a shape at least at tile database.products

func.func @mark(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %m = pit.sparse %a <kind = values, axes = [0, 1]> {pit.live = 0.5 : f64}
    : tensor<64x64xbf16>
  return %m : tensor<64x64xbf16>
}
