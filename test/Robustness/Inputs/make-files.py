"""Writes small files for the fuzzers into a folder, good and damaged ones."""
import os
import struct
import sys

PROGRAM = """
func.func @f(%x: tensor<4x8xf32>, %m: tensor<4xi1>, %w: tensor<8x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %s = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4x8xf32>
  %r = linalg.matmul ins(%s, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
"""
# Two steps of folding are needed, and one is allowed.
SILENT = """
func.func @f(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %0 = arith.addi %c, %c : i32
  %1 = arith.muli %0, %x : i32
  %2 = arith.subi %1, %1 : i32
  %3 = arith.addi %2, %x : i32
  return %3 : i32
}
"""


def npy(kind, shape, data):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def main():
    files = {
        "good.npy": npy("<f4", (2, 3), bytes(24)),
        "cut.npy": npy("<f4", (2, 3), bytes(23)),
        "large.npy": npy("<f8", (1 << 40, 1 << 22), bytes(8)),
        "swapped.npy": npy(">i8", (2,), bytes(range(16))),
        "cut.json": b'{"chip": "sm_90a", "products": [{"m": 1, "n": 0, "zero": [',
        "object": b"\x7fELF\x02\x01" + bytes(200),
        "empty": b"",
        "program": b"\x00" + PROGRAM.encode(),
        "damaged": b"\x01" + PROGRAM.replace("8x2xf32>, %o", "0x2xf99>, %o").encode(),
        "silent": b"\x00" + SILENT.encode(),
    }
    for name, data in files.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
