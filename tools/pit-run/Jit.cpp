//===- Jit.cpp - Running compiled programs in this process ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "Types.h"

#include "PIT/Target/Runtime/Program.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::pit::run;
using namespace ::pit::run;
using ::pit::npy::Array;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Rounds to bf16, ties to even: what `__truncsfbf2` of compilers' runtime
/// libraries does, which older ones lack. The bits come back in the low half of
/// a floating-point register, as a value of 16 bits does.
static float truncateToBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
  uint32_t rounded =
      isNaN ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  std::memcpy(&value, &rounded, sizeof value);
  return value;
}

/// The same for f64, `__truncdfbf2`: rounded to odd in between, so that
/// rounding twice is rounding once.
static float truncateToBFloat16(double value) {
  float narrow = float(value);
  if (double(narrow) != value && std::isfinite(narrow)) {
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    if (std::fabs(double(narrow)) > std::fabs(value))
      --bits;
    bits |= 1;
    std::memcpy(&narrow, &bits, sizeof narrow);
  }
  return truncateToBFloat16(narrow);
}

/// The functions that compiled code may call, by address: no shared library
/// has to be found.
static llvm::orc::SymbolMap
runtimeSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported};
  };
  add("__truncsfbf2", static_cast<float (*)(float)>(&truncateToBFloat16));
  add("__truncdfbf2", static_cast<float (*)(double)>(&truncateToBFloat16));
  add("pit_rt_overflow", &pit_rt_overflow);
  add("pit_rt_bad_index", &pit_rt_bad_index);
  add("pit_rt_record_index", &pit_rt_record_index);
  add("pit_rt_record_coverage", &pit_rt_record_coverage);
  add("pit_rt_timer_start", &pit_rt_timer_start);
  add("pit_rt_timer_stop", &pit_rt_timer_stop);
  add("pit_rt_begin", &pit_rt_begin);
  add("pit_rt_begin_shapes", &pit_rt_begin_shapes);
  add("pit_rt_begin_host", &pit_rt_begin_host);
  add("pit_rt_ok", &pit_rt_ok);
  add("pit_rt_end", &pit_rt_end);
  add("pit_rt_argument", &pit_rt_argument);
  add("pit_rt_check", &pit_rt_check);
  add("pit_rt_result", &pit_rt_result);
  add("pit_rt_parallel", &pit_rt_parallel);
  add("pit_rt_task_rows", &pit_rt_task_rows);
  add("pit_rt_task_columns", &pit_rt_task_columns);
  add("pit_rt_workspace", &pit_rt_workspace);
  add("pit_rt_status", &pit_rt_status);
  add("pit_rt_module", &pit_rt_module);
  add("pit_rt_constant", &pit_rt_constant);
  add("pit_rt_launch", &pit_rt_launch);
  add("pit_rt_launch_waiting", &pit_rt_launch_waiting);
  add("pit_rt_copy", &pit_rt_copy);
  add("pit_rt_tensor_map", &pit_rt_tensor_map);
  add("pit_rt_window_map", &pit_rt_window_map);
  add("pit_rt_xla_call", &pit_rt_xla_call);
  return symbols;
}

llvm::Expected<std::unique_ptr<ExecutionEngine>>
mlir::pit::run::createEngine(ModuleOp lowered, unsigned optLevel, Heap heap) {
  llvm::CodeGenOptLevel codeGenLevel =
      llvm::CodeGenOpt::getLevel(int(optLevel))
          .value_or(llvm::CodeGenOptLevel::Aggressive);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(codeGenLevel);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();

  auto optimise =
      makeOptimizingTransformer(optLevel, /*sizeLevel=*/0, machine->get());
  auto transformer = [&](llvm::Module *module) -> llvm::Error {
    if (optLevel > 0)
      if (llvm::Error error = optimise(module))
        return error;
    if (kSanitizesCode)
      sanitizeCode(*module, machine->get());
    return llvm::Error::success();
  };
  ExecutionEngineOptions options;
  if (optLevel > 0 || kSanitizesCode)
    options.transformer = transformer;
  options.jitCodeGenOptLevel = codeGenLevel;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  if (failed(takeMemoryFromRuntime(lowered)))
    return llvm::createStringError("the program has functions of the runtime");
  auto engine = ExecutionEngine::create(lowered, options, std::move(*machine));
  if (!engine)
    return engine.takeError();

  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols = runtimeSymbols(interner);
    auto add = [&](StringRef name, auto *function) {
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                 llvm::JITSymbolFlags::Exported};
    };
    add("pit_rt_allocate", heap.allocate);
    add("pit_rt_free", heap.release);
    add("pit_rt_memory", heap.memory);
    add("pit_rt_room", heap.room);
    return symbols;
  });
  return std::move(*engine);
}

llvm::Expected<std::unique_ptr<Program>>
Program::create(ModuleOp lowered, StringRef entry, FunctionType signature,
                unsigned optLevel, Heap heap) {
  auto engine = createEngine(lowered, optLevel, heap);
  if (!engine)
    return engine.takeError();
  std::unique_ptr<Program> program(new Program(heap));
  program->engine = std::move(*engine);
  auto call = program->engine->lookupPacked("_mlir_ciface_" + entry.str());
  if (!call)
    return call.takeError();
  program->call = *call;
  for (Type input : signature.getInputs())
    program->inputIsTensor.push_back(isa<RankedTensorType>(input));
  program->layOutResults(signature);
  return program;
}

//===----------------------------------------------------------------------===//
// Calling convention
//===----------------------------------------------------------------------===//

/// MLIR's memref descriptor: allocated, aligned, offset, sizes, strides; every
/// field has eight bytes.
using Descriptor = SmallVector<int64_t, 11>;

static Descriptor makeDescriptor(const Program::Input &input) {
  Descriptor descriptor;
  auto address = int64_t(reinterpret_cast<intptr_t>(input.data));
  size_t rank = input.shape.size();
  descriptor.assign({address, address, 0});
  descriptor.append(input.shape.begin(), input.shape.end());
  descriptor.resize(3 + 2 * rank);
  // Extents that no tensor has may be given on purpose.
  uint64_t stride = 1;
  for (size_t i = rank; i-- > 0; stride *= uint64_t(input.shape[i]))
    descriptor[3 + rank + i] = int64_t(stride);
  return descriptor;
}

/// Lays results out as a C struct of descriptors and scalars.
void Program::layOutResults(FunctionType signature) {
  size_t offset = 0;
  for (Type type : signature.getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    pit_dtype dtype = dtypeOf(getElementTypeOrSelf(type));
    size_t alignment = tensor ? 8 : pit_dtype_size(dtype);
    offset = llvm::alignTo(offset, alignment);
    results.push_back({dtype, tensor ? int(tensor.getRank()) : -1, offset});
    offset +=
        tensor ? 8 * (3 + 2 * size_t(tensor.getRank())) : pit_dtype_size(dtype);
  }
  resultBytes = offset;
  // One scalar comes back by value; anything else through a pointer to the
  // struct, which is then the first argument.
  returnsDirectly = results.size() == 1 && results[0].rank < 0;
}

/// Copies a returned buffer, which may have strides, into an array.
static bool copyResult(const int64_t *descriptor, int rank, pit_dtype dtype,
                       Array &array, std::string &error) {
  std::vector<int64_t> shape(descriptor + 3, descriptor + 3 + rank);
  if (!array.allocate(dtype, shape, error))
    return false;
  size_t size = pit_dtype_size(dtype);
  const char *from = reinterpret_cast<const char *>(intptr_t(descriptor[1])) +
                     descriptor[2] * int64_t(size);
  char *to = static_cast<char *>(array.data.data());
  const int64_t *strides = descriptor + 3 + rank;
  pit_tensor view{const_cast<char *>(from), dtype, rank, shape.data(), strides};
  if (pit_tensor_is_contiguous(&view)) {
    std::memcpy(to, from, array.data.size());
    return true;
  }
  SmallVector<int64_t> index(size_t(rank), 0);
  int64_t offset = 0;
  for (int64_t n = 0, e = array.numElements(); n < e; ++n, to += size) {
    std::memcpy(to, from + offset * int64_t(size), size);
    for (int i = rank; i-- > 0;) {
      offset += strides[i];
      if (++index[i] < shape[i])
        break;
      offset -= strides[i] * shape[i];
      index[i] = 0;
    }
  }
  return true;
}

bool Program::run(const std::vector<Array> &inputs, std::vector<Array> &arrays,
                  std::string &error, int64_t *nanoseconds) {
  SmallVector<Input> views;
  for (const Array &input : inputs)
    views.push_back({input.data.data(), input.shape});
  return run(views, arrays, error, nanoseconds);
}

bool Program::run(ArrayRef<Input> inputs, std::vector<Array> &arrays,
                  std::string &error, int64_t *nanoseconds) {
  std::vector<Descriptor> descriptors;
  descriptors.reserve(inputs.size());
  SmallVector<void *> pointers;
  pointers.reserve(inputs.size() + 1);
  SmallVector<void *> arguments;
  std::vector<int64_t> returned(resultBytes / 8 + 1, 0);
  void *returnedPointer = returned.data();

  if (!results.empty() && !returnsDirectly)
    arguments.push_back(&returnedPointer);
  for (auto [input, isTensor] : llvm::zip_equal(inputs, inputIsTensor)) {
    void *data = const_cast<void *>(input.data);
    if (!isTensor) {
      arguments.push_back(data);
      continue;
    }
    descriptors.push_back(makeDescriptor(input));
    pointers.push_back(descriptors.back().data());
    arguments.push_back(&pointers.back());
  }
  if (returnsDirectly)
    arguments.push_back(returned.data());

  auto start = std::chrono::steady_clock::now();
  call(arguments.data());
  auto stop = std::chrono::steady_clock::now();
  if (nanoseconds)
    *nanoseconds =
        std::chrono::duration_cast<std::chrono::nanoseconds>(stop - start)
            .count();

  // Read everything before freeing anything: results may share a buffer.
  status = pit_context_status(pit_context_current());
  bool succeeds = !takeRuntimeError(PIT_OK, error);
  arrays = std::vector<Array>(results.size());
  const char *base = reinterpret_cast<const char *>(returned.data());
  llvm::SmallPtrSet<void *, 4> buffers;
  for (auto [slot, array] : llvm::zip_equal(results, arrays)) {
    if (slot.rank < 0) {
      if (!array.allocate(slot.dtype, {}, error))
        return false;
      std::memcpy(array.data.data(), base + slot.offset,
                  pit_dtype_size(slot.dtype));
      if (slot.dtype == PIT_DTYPE_I1)
        *static_cast<uint8_t *>(array.data.data()) &= 1;
      continue;
    }
    auto *descriptor = reinterpret_cast<const int64_t *>(base + slot.offset);
    succeeds =
        succeeds && copyResult(descriptor, slot.rank, slot.dtype, array, error);
    buffers.insert(reinterpret_cast<void *>(intptr_t(descriptor[0])));
  }
  for (const Input &input : inputs)
    buffers.erase(const_cast<void *>(input.data));
  for (void *buffer : buffers)
    heap.release(buffer);
  return succeeds;
}

//===----------------------------------------------------------------------===//
// Programs with a table
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<TableProgram>>
TableProgram::create(ModuleOp lowered, StringRef entry, CudaDevice *device,
                     unsigned optLevel, Heap heap) {
  auto engine = createEngine(lowered, optLevel, heap);
  if (!engine)
    return engine.takeError();
  auto table = (*engine)->lookup(PIT_PROGRAM_SYMBOL);
  if (!table)
    return table.takeError();
  const pit_entry_point *found = pit_program_find(
      static_cast<const pit_program *>(*table), entry.str().c_str());
  if (!found)
    return llvm::createStringError("'" + entry + "' is no entry point");
  return std::unique_ptr<TableProgram>(
      new TableProgram(std::move(*engine), *found, device));
}
