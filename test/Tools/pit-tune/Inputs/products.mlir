#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>

func.func @large(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xbf16>) {
  pit.contract dense ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

func.func @segments(%i: !lists, %a: memref<?x256xbf16>, %b: memref<8x256x1024xbf16>, %c: memref<?x1024xbf16>) {
  pit.contract segments over(%i : !lists) ins(%a, %b : memref<?x256xbf16>, memref<8x256x1024xbf16>) outs(%c : memref<?x1024xbf16>)
    {indexing_maps = [#smk, #skn, #smn], listed = array<i1: false, false, false>}
  return
}
