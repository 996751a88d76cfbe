//===- Ptx.cpp - The text of PTX, read ------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace pit::emulated::ptx;

namespace {

/// Names that a block in braces declares are those of the block: they get its
/// number behind them.
struct Scope {
  int number;
  std::map<std::string, std::string> registers;
  std::map<std::string, int> labels;
};

/// A branch whose label is not known before the kernel's end.
struct Branch {
  size_t instruction;
  std::vector<int> scopes;
  std::string label;
};

class Reader {
public:
  Reader(const std::string &text, Module &module, std::string &error)
      : text(text), module(module), error(error) {}

  bool read();

private:
  bool fail(const std::string &what) {
    if (error.empty())
      error = "line " + std::to_string(line) + ": " + what;
    return false;
  }
  void skipBlanks();
  /// The text up to one of `ends` outside of brackets, which is not taken.
  std::string upTo(const char *ends);
  bool readModuleStatement();
  bool readKernel();
  bool readParameters(const std::string &list, Kernel &kernel);
  bool readBody(Kernel &kernel);
  bool readStatement(Kernel &kernel);
  bool readShared(const std::string &declaration);
  bool readRegisters(const std::string &declaration, Kernel &kernel);
  bool readInstruction(const std::string &statement, Kernel &kernel);
  bool readOperand(std::string part, Operand &operand);
  bool readImmediate(const std::string &part, Operand &operand);
  bool resolveBranches(Kernel &kernel);
  const std::string *findRegister(const std::string &name) const;

  const std::string &text;
  Module &module;
  std::string &error;
  size_t at = 0;
  int line = 1, numScopes = 0;
  std::vector<Scope> scopes;
  std::map<int, std::map<std::string, int>> labelsOfScopes;
  std::vector<Branch> branches;
};

std::string trim(const std::string &part) {
  size_t begin = part.find_first_not_of(" \t\n\r");
  if (begin == std::string::npos)
    return "";
  return part.substr(begin, part.find_last_not_of(" \t\n\r") - begin + 1);
}

/// Parts between `separator`, except in brackets and braces.
std::vector<std::string> split(const std::string &list, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (char c : list) {
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (c == separator && depth == 0) {
      parts.push_back(trim(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trim(part).empty() || !parts.empty())
    parts.push_back(trim(part));
  return parts;
}

int bitsOfType(const std::string &type) {
  if (type == "pred")
    return 1;
  return type.size() > 1 ? std::atoi(type.c_str() + 1) : 0;
}

bool Reader::read() {
  for (skipBlanks(); at < text.size(); skipBlanks())
    if (!readModuleStatement())
      return false;
  return true;
}

void Reader::skipBlanks() {
  while (at < text.size()) {
    if (text[at] == '\n')
      ++line;
    if (text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    else
      return;
  }
}

std::string Reader::upTo(const char *ends) {
  std::string part;
  int depth = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (depth == 0 && std::strchr(ends, c))
      break;
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size()) - 1;
      continue;
    }
    depth +=
        (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    line += c == '\n';
    part += c;
  }
  return part;
}

bool Reader::readModuleStatement() {
  if (text[at] != '.')
    return fail("not a directive");
  for (const char *word : {".version", ".target", ".address_size"})
    if (text.compare(at, std::strlen(word), word) == 0) {
      upTo("\n");
      return true;
    }
  if (text.compare(at, 8, ".visible") == 0 ||
      text.compare(at, 6, ".entry") == 0)
    return readKernel();
  std::string declaration = upTo(";");
  ++at;
  if (declaration.find(".shared") != std::string::npos)
    return readShared(declaration);
  return fail("'" + declaration.substr(0, 40) + "' is not emulated");
}

/// ".shared .align 16 .b8 name[48]", ".shared .align 4 .u32 name", or without
/// a size, which the launch says.
bool Reader::readShared(const std::string &declaration) {
  Variable variable;
  size_t alignment = declaration.find(".align");
  if (alignment != std::string::npos)
    variable.alignment =
        std::strtoull(&declaration[alignment + 6], nullptr, 10);
  size_t space = declaration.find_last_of(" \t");
  std::string name = declaration.substr(space + 1);
  size_t type = declaration.rfind('.', space);
  uint64_t bytes = uint64_t(bitsOfType(
                       trim(declaration.substr(type + 1, space - type - 1)))) /
                   8;
  size_t bracket = name.find('[');
  variable.name = name.substr(0, bracket);
  if (bracket != std::string::npos && name[bracket + 1] == ']') {
    module.dynamicName = variable.name;
    module.dynamicAlignment = variable.alignment;
    return true;
  }
  if (bracket != std::string::npos)
    bytes *= std::strtoull(&name[bracket + 1], nullptr, 10);
  variable.bytes = bytes;
  variable.offset = (module.sharedBytes + variable.alignment - 1) /
                    variable.alignment * variable.alignment;
  module.sharedBytes = variable.offset + bytes;
  module.shared.push_back(variable);
  return true;
}

bool Reader::readKernel() {
  std::string head = upTo("(");
  size_t entry = head.find(".entry");
  if (entry == std::string::npos || at == text.size())
    return fail("only kernels are emulated");
  module.kernels.emplace_back();
  Kernel &kernel = module.kernels.back();
  kernel.name = trim(head.substr(entry + 6));
  ++at;
  std::string parameters = upTo(")");
  ++at;
  if (!readParameters(parameters, kernel))
    return false;
  // What else the launch is held to, the driver checks.
  std::string limits = upTo("{");
  size_t clusters = limits.find(".reqnctapercluster");
  if (clusters != std::string::npos)
    std::sscanf(&limits[clusters], ".reqnctapercluster %u, %u, %u",
                &kernel.cluster[0], &kernel.cluster[1], &kernel.cluster[2]);
  if (at == text.size())
    return fail("a kernel without a body");
  ++at;
  return readBody(kernel);
}

bool Reader::readParameters(const std::string &list, Kernel &kernel) {
  uint64_t end = 0;
  for (const std::string &part : split(list, ',')) {
    Variable parameter;
    size_t space = part.find_last_of(" \t");
    std::string name = part.substr(space + 1);
    size_t bracket = name.find('['), type = part.find(".param");
    if (type == std::string::npos || space == std::string::npos)
      return fail("'" + part + "' is no parameter");
    std::string rest = trim(part.substr(type + 6));
    if (bracket != std::string::npos) {
      parameter.bytes = std::strtoull(&name[bracket + 1], nullptr, 10);
      parameter.alignment = std::strtoull(
          &rest[std::min(rest.find(".align") + 6, rest.size())], nullptr, 10);
    } else {
      parameter.bytes =
          uint64_t(bitsOfType(rest.substr(1, rest.find(' ') - 1))) / 8;
      parameter.alignment = parameter.bytes;
    }
    if (parameter.bytes == 0 || parameter.alignment == 0)
      return fail("'" + part + "' has no size");
    parameter.name = name.substr(0, bracket);
    parameter.offset = (end + parameter.alignment - 1) / parameter.alignment *
                       parameter.alignment;
    end = parameter.offset + parameter.bytes;
    kernel.parameters.push_back(parameter);
  }
  return true;
}

bool Reader::readBody(Kernel &kernel) {
  scopes.assign(1, Scope{numScopes++, {}, {}});
  labelsOfScopes.clear();
  branches.clear();
  while (true) {
    skipBlanks();
    if (at == text.size())
      return fail("the kernel does not end");
    if (text[at] == '{') {
      scopes.push_back(Scope{numScopes++, {}, {}});
      ++at;
    } else if (text[at] == '}') {
      labelsOfScopes[scopes.back().number] = scopes.back().labels;
      scopes.pop_back();
      ++at;
      if (scopes.empty())
        return resolveBranches(kernel);
    } else if (!readStatement(kernel)) {
      return false;
    }
  }
}

bool Reader::readStatement(Kernel &kernel) {
  size_t start = at;
  int startLine = line;
  std::string label = upTo(" \t\n;:");
  if (at < text.size() && text[at] == ':' && text.compare(at, 2, "::") != 0) {
    scopes.back().labels[label] = int(kernel.instructions.size());
    ++at;
    return true;
  }
  at = start;
  line = startLine;
  std::string statement = upTo(";");
  ++at;
  std::swap(line, startLine);
  bool understood = true;
  if (statement.compare(0, 4, ".reg") == 0)
    understood = readRegisters(statement, kernel);
  else if (statement.compare(0, 7, ".shared") == 0)
    understood = readShared(statement);
  else if (statement.compare(0, 7, ".pragma") == 0)
    understood = true;
  else if (statement[0] == '.')
    understood = fail("'" + statement.substr(0, 40) + "' is not emulated");
  else
    understood = readInstruction(statement, kernel);
  std::swap(line, startLine);
  return understood;
}

/// ".reg .b32 %r<12>" or ".reg .pred p, q".
bool Reader::readRegisters(const std::string &declaration, Kernel &kernel) {
  size_t dot = declaration.find('.', 4);
  size_t space = declaration.find_first_of(" \t", dot);
  if (dot == std::string::npos || space == std::string::npos)
    return fail("registers of no type");
  int bits = bitsOfType(declaration.substr(dot + 1, space - dot - 1));
  auto declare = [&](const std::string &name) {
    std::string unique = name;
    if (scopes.size() > 1)
      unique += "@" + std::to_string(scopes.back().number);
    scopes.back().registers[name] = unique;
    kernel.registers[unique] = bits;
  };
  for (const std::string &name : split(declaration.substr(space), ',')) {
    size_t bracket = name.find('<');
    if (bracket == std::string::npos) {
      declare(name);
      continue;
    }
    int count = std::atoi(&name[bracket + 1]);
    for (int i = 0; i < count; ++i)
      declare(name.substr(0, bracket) + std::to_string(i));
  }
  return true;
}

const std::string *Reader::findRegister(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto found = scope->registers.find(name);
    if (found != scope->registers.end())
      return &found->second;
  }
  return nullptr;
}

bool Reader::readInstruction(const std::string &statement, Kernel &kernel) {
  Instruction instruction;
  instruction.line = line;
  std::string rest = trim(statement);
  if (rest[0] == '@') {
    size_t space = rest.find_first_of(" \t");
    instruction.negated = rest[1] == '!';
    std::string name = rest.substr(instruction.negated ? 2 : 1,
                                   space - (instruction.negated ? 2 : 1));
    const std::string *guard = findRegister(name);
    if (!guard)
      return fail("guard '" + name + "' is not declared");
    instruction.guard = *guard;
    rest = trim(rest.substr(std::min(space, rest.size())));
  }
  size_t space = std::min(rest.find_first_of(" \t\n{"), rest.size());
  instruction.opcode = split(rest.substr(0, space), '.');
  for (const std::string &part : split(rest.substr(space), ',')) {
    Operand operand;
    if (!readOperand(part, operand))
      return false;
    instruction.operands.push_back(operand);
  }
  if (instruction.opcode[0] == "bra") {
    if (instruction.operands.size() != 1)
      return fail("a branch to one label is emulated");
    Branch branch{kernel.instructions.size(), {}, instruction.operands[0].name};
    for (const Scope &scope : scopes)
      branch.scopes.push_back(scope.number);
    branches.push_back(branch);
  }
  kernel.instructions.push_back(instruction);
  return true;
}

bool Reader::readImmediate(const std::string &part, Operand &operand) {
  operand.kind = Operand::Immediate;
  char *end = nullptr;
  if (part.size() > 2 && part[0] == '0' && std::strchr("fFdD", part[1])) {
    operand.floatBits = std::tolower(part[1]) == 'f' ? 32 : 64;
    operand.bits = std::strtoull(part.c_str() + 2, &end, 16);
  } else if (part.find('.') != std::string::npos) {
    operand.floatBits = 64;
    double value = std::strtod(part.c_str(), &end);
    std::memcpy(&operand.bits, &value, sizeof(value));
  } else {
    operand.bits = part[0] == '-'
                       ? uint64_t(std::strtoll(part.c_str(), &end, 0))
                       : std::strtoull(part.c_str(), &end, 0);
    if (*end == 'U')
      ++end;
  }
  return *end == '\0' || fail("'" + part + "' is no number");
}

bool Reader::readOperand(std::string part, Operand &operand) {
  if (part.empty())
    return fail("an operand is missing");
  if (part == "_") {
    operand.kind = Operand::Sink;
    return true;
  }
  if (part.find('|') != std::string::npos) {
    operand.kind = Operand::Vector;
    operand.elements.resize(2);
    size_t bar = part.find('|');
    return readOperand(trim(part.substr(0, bar)), operand.elements[0]) &&
           readOperand(trim(part.substr(bar + 1)), operand.elements[1]);
  }
  if (std::isdigit(static_cast<unsigned char>(part[0])) || part[0] == '-')
    return readImmediate(part, operand);
  if (part[0] == '{') {
    operand.kind = Operand::Vector;
    for (const std::string &element :
         split(part.substr(1, part.size() - 2), ',')) {
      operand.elements.emplace_back();
      if (!readOperand(element, operand.elements.back()))
        return false;
    }
    return true;
  }
  if (part[0] == '[') {
    std::vector<std::string> parts =
        split(part.substr(1, part.size() - 2), ',');
    if (parts.size() == 2) {
      operand.kind = Operand::Tensor;
      operand.elements.resize(2);
      return readOperand(parts[0], operand.elements[0]) &&
             readOperand(parts[1], operand.elements[1]);
    }
    size_t plus = parts[0].find('+');
    if (!readOperand(trim(parts[0].substr(0, plus)), operand))
      return false;
    if (plus != std::string::npos)
      operand.offset = std::strtoll(&parts[0][plus + 1], nullptr, 0);
    operand.kind = Operand::Address;
    return true;
  }
  const std::string *name = findRegister(part);
  operand.kind = name || part[0] == '%' ? Operand::Register : Operand::Symbol;
  operand.name = name ? *name : part;
  return true;
}

bool Reader::resolveBranches(Kernel &kernel) {
  for (const Branch &branch : branches) {
    Instruction &instruction = kernel.instructions[branch.instruction];
    for (int scope : branch.scopes) {
      auto found = labelsOfScopes[scope].find(branch.label);
      if (found != labelsOfScopes[scope].end())
        instruction.target = found->second;
    }
    if (instruction.target < 0)
      return fail("label '" + branch.label + "' is not there");
  }
  return true;
}

} // namespace

bool pit::emulated::ptx::read(const std::string &text, Module &module,
                              std::string &error) {
  return Reader(text, module, error).read();
}
