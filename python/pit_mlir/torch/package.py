# ===- package.py - Models compiled ahead of time, as a folder --------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Models compiled ahead of time, as a folder that another machine loads: with torch and a device, but without
torch-mlir, a compiler, or a network.

    pit_mlir.torch.export(model, (x,), "folder", target="cuda:sm_90a")     # here
    run = pit_mlir.torch.load("folder", model)                             # there
    y = run(x)
"""

import json
import os
import shutil

import torch
from torch.utils import _pytree as pytree

from .. import api, targets
from ..errors import ArgumentError, Error, ImporterError, count_of
from . import decompositions, partition
from .graphs import Outputs, copy_graph, lay_out
from .importer import import_graph
from .marks import lower_marks

VERSION = 1


def export(model, inputs, path, target="auto", dynamic_shapes=None, **options):
    """Compiles a model's forward for inference and writes it to a folder: `program.so` and `program.json`.

    model           a module of torch; its weights stay its own and are not written
    inputs          a tuple of tensors as it is called with; they, and the model, may be on the meta device
    target          see `pit_mlir.compile`; a GPU need not be there
    dynamic_shapes  as torch.export has it
    options         those of `pit_mlir.compile`

    Raises ImporterError and CompileError: there is no fallback.
    """
    chosen = targets.resolve(target)
    with torch.no_grad(), torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        exported = torch.export.export(model, tuple(inputs), dynamic_shapes=dynamic_shapes)
        exported = exported.run_decompositions(decompositions.table())
    signature = exported.graph_signature
    if signature.buffers_to_mutate or signature.user_inputs_to_mutate:
        raise ImporterError("the model writes to its buffers or inputs, which an exported program does not")
    module = copy_graph(exported.graph_module)
    for node in module.graph.nodes:
        if node.op not in ("placeholder", "output"):
            reason = partition.reason_against(node)
            if reason:
                raise ImporterError(reason, str(node.target))
    marks = lower_marks(module)
    outputs = Outputs(module)
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    arguments, user, constants = [], 0, []
    for node, spec in zip(placeholders, signature.input_specs):
        kind = spec.kind.name
        if kind == "USER_INPUT":
            arguments.append({"kind": "input", "number": user, "used": bool(node.users)})
            user += 1
        elif kind in ("PARAMETER", "BUFFER"):
            arguments.append({"kind": kind.lower(), "name": spec.target, "used": bool(node.users)})
        elif not node.users:
            arguments.append({"kind": "none", "used": False})
        elif isinstance(exported.constants.get(spec.target), torch.Tensor):
            arguments.append({"kind": "constant", "number": len(constants), "used": True})
            constants.append(exported.constants[spec.target])
        else:
            raise ImporterError(f"the model holds something that is no tensor: {spec.target}")
        if not node.users:
            module.graph.erase_node(node)
    program = api.compile_mlir(import_graph(module.graph, marks), chosen, **options)
    if any(constant.is_meta for constant in constants):
        raise ImporterError("the model makes a tensor of numbers on the meta device, where they are lost: give it on another")
    save(program, path, arguments, outputs, exported.call_spec.out_spec, constants)


def save(program, path, arguments, outputs, structure, constants=()):
    """Writes a compiled program and what it takes and gives to a folder.

    arguments  for each of the program's, and of those that it does not use: {"kind": "input", "number": of the call's},
               {"kind": "parameter" or "buffer", "name": the model's}, {"kind": "constant", "number": of `constants`} or
               {"kind": "none"}, with "used": whether the program takes it
    outputs    see graphs.Outputs
    structure  of what a call gives, a TreeSpec
    constants  tensors that are neither inputs nor the model's, in `constants.pt`"""
    os.makedirs(path, exist_ok=True)
    if constants:
        torch.save([constant.detach().cpu().contiguous() for constant in constants], os.path.join(path, "constants.pt"))
    # A program that is loaded keeps its file: the new one takes the name alone.
    shutil.copyfile(program.path, os.path.join(path, "program.so.new"))
    os.replace(os.path.join(path, "program.so.new"), os.path.join(path, "program.so"))
    about = {
        "version": VERSION,
        "target": f"{program.target}:{program.chip}",
        "arguments": arguments,
        "outputs": outputs.plan,
        "orders": outputs.orders,
        "structure": pytree.treespec_dumps(structure),
    }
    with open(os.path.join(path, "program.json"), "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)


class Loaded:
    """A model of a folder, called with its inputs. Gives no gradients but those that a training step computes."""

    def __init__(self, path, model):
        try:
            with open(os.path.join(path, "program.json"), encoding="utf-8") as file:
                about = json.load(file)
        except (OSError, ValueError) as error:
            raise Error(f"cannot load {path}: {error}") from None
        if about.get("version") != VERSION:
            raise Error(f"cannot load {path}: version {about.get('version')}, expected {VERSION}")
        self.program = api.load(os.path.join(path, "program.so"))
        self.entry = self.program["main"]
        self.outputs = Outputs.__new__(Outputs)
        self.outputs.plan, self.outputs.is_single = [tuple(p) for p in about["outputs"]], False
        self.orders, self.arguments = about["orders"], about["arguments"]
        self.structure = pytree.treespec_loads(about["structure"])
        self.constants = {}
        if any(argument["kind"] == "constant" for argument in self.arguments):
            try:
                self.held = torch.load(os.path.join(path, "constants.pt"), weights_only=True)
            except (OSError, RuntimeError) as error:
                raise Error(f"cannot load {path}: {error}") from None
        self.model = model
        self.count = sum(argument["kind"] == "input" for argument in self.arguments)
        self._resolve()

    def _resolve(self):
        """Where the model keeps each tensor, so that a call does not walk paths; and the path to there, so that it sees
        a module that was replaced."""
        self.places, links = [], {}
        for argument in self.arguments:
            place = None
            if argument["kind"] in ("parameter", "buffer"):
                self._find(argument)
                *path, name = argument["name"].split(".")
                module = self.model
                for step in path:
                    links[id(module), step] = (module._modules, step, module._modules.get(step))
                    module = getattr(module, step)
                tensors = module._parameters if argument["kind"] == "parameter" else module._buffers
                if tensors.get(name) is not None:
                    place = tensors, name
            self.places.append(place)
        self.links = list(links.values())

    def _gather(self, inputs):
        for modules, step, module in self.links:
            if modules.get(step) is not module:
                self._resolve()
                break
        values = []
        for argument, place in zip(self.arguments, self.places):
            kind = argument["kind"]
            if kind == "input":
                values.append(inputs[argument["number"]])
            elif kind == "none":
                values.append(None)
            elif kind == "constant":
                values.append(self._constant(argument["number"], inputs))
            else:
                tensor = place and place[0].get(place[1])
                values.append(self._find(argument) if tensor is None else tensor)
        return values

    def _constant(self, number, inputs):
        """A constant where the inputs are: moved once for each device."""
        device = next((value.device for value in inputs if isinstance(value, torch.Tensor)), torch.device("cpu"))
        if device not in self.constants:
            self.constants[device] = [constant.to(device) for constant in self.held]
        return self.constants[device][number]

    def _find(self, argument):
        try:
            get = self.model.get_parameter if argument["kind"] == "parameter" else self.model.get_buffer
            return get(argument["name"])
        except (AttributeError, TypeError):
            raise ArgumentError(f"the model has no {argument['kind']} '{argument['name']}', which the program takes") from None

    def __call__(self, *inputs):
        if len(inputs) != self.count:
            raise ArgumentError(f"the model takes {count_of(self.count, 'input')}, not {len(inputs)}")
        values = self._gather(inputs)
        with torch.no_grad():
            results = self.entry(*(value for value, argument in zip(values, self.arguments) if argument["used"]))
        results = results if isinstance(results, tuple) else (results,)
        results = [lay_out(result, order) for result, order in zip(results, self.orders)]
        return pytree.tree_unflatten(self.outputs.collect(values, results), self.structure)


def load(path, model=None):
    """Opens a folder that `export` has made, for a model with the same parameters, or `export_step`, for none, on the
    device of the target. Raises pit_mlir.Error."""
    return Loaded(path, model)
