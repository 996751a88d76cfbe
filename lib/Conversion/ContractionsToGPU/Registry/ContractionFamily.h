//===- ContractionFamily.h - What a family of kernels is --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family takes some contractions: it matches them, plans a kernel, lists its
// parameters, takes what a plan says, and emits the kernel and its launch.
// Passes loop over a registry of families and know none of them by name.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_CONTRACTIONFAMILY_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_CONTRACTIONFAMILY_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Plan/DeviceModel.h"
#include "Conversion/ContractionsToGPU/Plan/PlanParts.h"
#include "GPU/Kernel/KernelSignature.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/ExtensibleRTTI.h"

namespace mlir::pit::hopper {

class ContractionFamily;

struct PlanOptions {
  DeviceModel device;
  /// Whether a warpgroup does nothing but load.
  bool specialise = true;
  MatchRequirements needs;
};

/// What launches need.
struct EmitOptions {
  DeviceModel device;
  /// Whether buffers of a launch are freed behind it, or by a later pass.
  bool freeBuffers = true;
};

/// A family's kernel of one launch, and the products that it computes. First,
/// it has nothing but a product. Then more may join, and it is planned, or
/// bound to a plan; from then on it can be emitted.
class ProductKernel : public llvm::RTTIExtends<ProductKernel, llvm::RTTIRoot> {
public:
  static char ID;

  ProductKernel(const ContractionFamily &family, ContractionMatch match)
      : family(family) {
    parts.push_back(std::move(match));
  }

  const ContractionFamily &getFamily() const { return family; }
  ArrayRef<ContractionMatch> getParts() const { return parts; }
  /// The launch stands in the last one's place.
  ContractOp getLastOp() const;

  /// Whether the last product can be computed in one launch with these.
  virtual bool canJoin(const ProductKernel &last,
                       const DeviceModel &device) const {
    return false;
  }
  /// Takes the products of an earlier launch in.
  void join(ProductKernel &earlier);

  /// Chooses everything that a plan says but for groups.
  virtual PlanParts plan(const PlanOptions &options) = 0;
  /// Takes everything from a plan. Says at the last op why it does not fit, if
  /// so.
  virtual LogicalResult bind(PlanAttr plan, const DeviceModel &device) = 0;

  /// Whether the rows of A can be taken from an earlier launch as they are
  /// written, and the bits of the live blocks of A; prepares both for it.
  virtual bool takeRows(ProductKernel &earlier, const DeviceModel &device) {
    return false;
  }
  virtual bool takeBits(ProductKernel &earlier) { return false; }

  /// Of a block.
  virtual int64_t getSharedBytes() const = 0;
  /// Tells of the kernel in remarks of its products.
  virtual void report() const = 0;
  /// All parameters of the function.
  virtual KernelSignature getSignature(MLIRContext *context) const = 0;
  /// Whether both are launches of one function.
  virtual bool isSameFunction(const ProductKernel &other) const {
    return false;
  }
  /// Adds the function to the module.
  virtual FailureOr<LLVM::LLVMFuncOp>
  build(gpu::GPUModuleOp module, StringRef name,
        const KernelSignature &signature) const = 0;
  /// Emits, in the last product's place, the launch of the function, which
  /// binds what the signature lists. The products' ops stay.
  virtual LogicalResult launch(const KernelSignature &signature,
                               SymbolRefAttr symbol,
                               const EmitOptions &options) = 0;

protected:
  const ContractionFamily &family;
  std::vector<ContractionMatch> parts;
};

class ContractionFamily {
public:
  /// What it is called in `#pit.plan`, and, in the field's words, in remarks;
  /// `name` is a constant.
  ContractionFamily(KernelFamily id, StringRef name) : id(id), name(name) {}
  virtual ~ContractionFamily();

  KernelFamily getId() const { return id; }
  StringRef getName() const { return name; }

  /// Whether mma.sync and threads have kernels of it, too, and what they
  /// require is enough to match.
  virtual bool hasWarpKernels() const { return false; }
  /// Elements of inputs that its kernels multiply, if its matcher is given
  /// them.
  virtual MatrixElement getElements() const {
    return MatrixElement::F16 | MatrixElement::BF16 | MatrixElement::TF32;
  }
  /// The same of those with mma.sync and of threads.
  MatrixElement getWarpElements() const {
    return MatrixElement::F16 | MatrixElement::BF16 | MatrixElement::TF32 |
           MatrixElement::F64 | MatrixElement::I8;
  }
  /// Shared memory that a block of any of its kernels takes.
  virtual int64_t getLeastSharedBytes() const { return 0; }

  /// Matches a structured or tiled op on buffers, with the elementwise ops
  /// behind it. Says why not of ops that are of the family's kind.
  virtual FailureOr<ContractionMatch> match(Operation *op,
                                            const DenseSet<Operation *> &taken,
                                            MatchRequirements needs) const = 0;
  /// Makes the match of an op of the family's domain one for the family, if its
  /// kernels can take that.
  virtual LogicalResult take(ContractionMatch &match, ContractOp op,
                             MatchLog log) const {
    return success();
  }
  /// The kernel of such a match, of which nothing is planned.
  virtual std::unique_ptr<ProductKernel>
  makeKernel(ContractionMatch match) const = 0;

private:
  KernelFamily id;
  StringRef name;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_CONTRACTIONFAMILY_H
