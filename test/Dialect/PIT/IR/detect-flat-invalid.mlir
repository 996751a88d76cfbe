// RUN: pit-opt %s --split-input-file --verify-diagnostics

// D2: positions of all sequences one after another.
func.func @tile(%l: tensor<4xi64>) -> !pit.index<[64], coordinate = 0, tile = [1], width = 32> {
  // expected-error @below {{D2: an index of all sequences one after another has micro-tiles of one position}}
  %i = pit.detect by(%l : tensor<4xi64>) <kind = lengths, axes = [0, 1], tile = [1, 2], absent = undef>
    : !pit.index<[64], coordinate = 0, tile = [1], width = 32>
  return %i : !pit.index<[64], coordinate = 0, tile = [1], width = 32>
}

// -----

func.func @extent(%l: tensor<4xi64>) -> !pit.index<[62], coordinate = 0, tile = [1], width = 32> {
  // expected-error @below {{D2: 62 positions are not those of 4 sequences of one extent}}
  %i = pit.detect by(%l : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef>
    : !pit.index<[62], coordinate = 0, tile = [1], width = 32>
  return %i : !pit.index<[62], coordinate = 0, tile = [1], width = 32>
}

// -----

func.func @source(%l: tensor<4xf32>) -> !pit.index<[64], coordinate = 0, tile = [1], width = 32> {
  // expected-error @below {{C3: 'by' of a lengths pattern cannot have element type 'f32'}}
  %i = pit.detect by(%l : tensor<4xf32>) <kind = lengths, axes = [0, 1], absent = undef>
    : !pit.index<[64], coordinate = 0, tile = [1], width = 32>
  return %i : !pit.index<[64], coordinate = 0, tile = [1], width = 32>
}
