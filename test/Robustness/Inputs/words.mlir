// A program for each thing that talking-tool.py says.
func.func @say_right(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
func.func @say_upstream(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
func.func @say_place(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }
func.func @say_twice(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @say_other(%x: tensor<5xf32>) -> tensor<5xf32> { return %x : tensor<5xf32> }
func.func @say_half(%x: tensor<6xf32>) -> tensor<6xf32> { return %x : tensor<6xf32> }
func.func @say_module(%x: tensor<7xf32>) -> tensor<7xf32> { return %x : tensor<7xf32> }
func.func @say_crash(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }
func.func @say_accepts(%x: tensor<9xf32>) -> tensor<9xf32> { return %x : tensor<9xf32> }
func.func @say_silence(%x: tensor<10xf32>) -> tensor<10xf32> { return %x : tensor<10xf32> }
