// Names and places that would end a script, open an element, or a string.
#place = loc("</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\"'`":3:7)
func.func @"a\"b'c<b>d</b>"(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {note = "<!--<script>"} ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>)
      -> tensor<64x64xf32> loc(#place)
  return %c : tensor<64x64xf32>
}
