// RUN: not pit-opt %s --pit-add-dense-variants=database=%t/none.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: echo '{"chip": "c", "device": "d", "element": "f32", "products": []}' > %t.json
// RUN: not pit-opt %s --pit-add-dense-variants=database=%t.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY

// NONE: error: pit-add-dense-variants: {{.*}}none.json: {{[Nn]}}o such file or directory
// EMPTY: error: pit-add-dense-variants: {{.*}}.json: expected a shape at least at tile database.products

func.func @nothing() {
  return
}
