//===- Header.cpp - The text header of a .npy file ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Header.h"

#include <cstring>

using namespace pit::npy;

namespace {

/// A cursor over the header's text. Each take* skips blanks first and either
/// consumes what it names or leaves the cursor where it was.
class Parser {
public:
  explicit Parser(const std::string &text)
      : at(text.data()), end(text.data() + text.size()) {}

  bool take(char c) {
    skipBlanks();
    if (at == end || *at != c)
      return false;
    ++at;
    return true;
  }

  bool takeWord(const char *word) {
    skipBlanks();
    size_t length = std::strlen(word);
    if (size_t(end - at) < length || std::memcmp(at, word, length) != 0)
      return false;
    at += length;
    return true;
  }

  /// A quoted string without escapes, which no valid header has.
  bool takeString(std::string &value) {
    skipBlanks();
    if (at == end || (*at != '\'' && *at != '"'))
      return false;
    const char *close = at + 1;
    while (close != end && *close != *at && *close != '\\')
      ++close;
    if (close == end || *close != *at)
      return false;
    value.assign(at + 1, close);
    at = close + 1;
    return true;
  }

  /// A non-negative integer; Python 2 wrote an `L` behind it.
  bool takeExtent(int64_t &value) {
    skipBlanks();
    const char *digit = at;
    int64_t number = 0;
    for (; digit != end && *digit >= '0' && *digit <= '9'; ++digit)
      if (__builtin_mul_overflow(number, int64_t(10), &number) ||
          __builtin_add_overflow(number, int64_t(*digit - '0'), &number))
        return false;
    if (digit == at)
      return false;
    if (digit != end && *digit == 'L')
      ++digit;
    at = digit;
    value = number;
    return true;
  }

  bool atEnd() {
    skipBlanks();
    return at == end;
  }

private:
  void skipBlanks() {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t'))
      ++at;
  }

  const char *at, *end;
};

struct TypeCode {
  const char *code;
  pit_dtype dtype;
};

} // namespace

/// The codes without their byte order. The second code of a type is the one
/// only read.
static const TypeCode typeCodes[] = {
    {"f2", PIT_DTYPE_F16}, {"V2", PIT_DTYPE_BF16},   {"f4", PIT_DTYPE_F32},
    {"f8", PIT_DTYPE_F64}, {"b1", PIT_DTYPE_I1},     {"i1", PIT_DTYPE_I8},
    {"i4", PIT_DTYPE_I32}, {"i8", PIT_DTYPE_I64},    {"V1", PIT_DTYPE_F8E4M3FN},
    {"i2", PIT_DTYPE_I16}, {"f1", PIT_DTYPE_F8E5M2},
};

static bool parseType(const std::string &code, Header &header) {
  if (code.size() != 3)
    return false;
  for (const TypeCode &known : typeCodes) {
    if (code.compare(1, 2, known.code) != 0)
      continue;
    bool bytewise = pit_dtype_size(known.dtype) == 1;
    // Raw data has no byte order: NumPy writes '|V2', PIT and ml_dtypes '<V2'.
    bool anyOrder = bytewise || known.dtype == PIT_DTYPE_BF16;
    if (code[0] != '<' && code[0] != '>' && code[0] != '=' &&
        !(code[0] == '|' && anyOrder))
      return false;
    header.dtype = known.dtype;
    header.swapBytes = code[0] == '>' && !bytewise;
    return true;
  }
  return false;
}

static bool parseShape(Parser &parser, std::vector<int64_t> &shape) {
  if (!parser.take('('))
    return false;
  bool comma = true;
  while (!parser.take(')')) {
    int64_t extent;
    if (!comma || !parser.takeExtent(extent))
      return false;
    shape.push_back(extent);
    comma = parser.take(',');
  }
  // `(5)` is a number in Python, not a shape.
  return shape.size() != 1 || comma;
}

bool pit::npy::parseHeader(const std::string &text, Header &header,
                           std::string &error) {
  Parser parser(text);
  bool hasType = false, hasOrder = false, hasShape = false;
  auto fail = [&](std::string why) {
    error = "malformed header: " + std::move(why);
    return false;
  };
  if (!parser.take('{'))
    return fail("expected a dictionary");
  while (!parser.take('}')) {
    std::string key;
    if (!parser.takeString(key) || !parser.take(':'))
      return fail("expected a quoted key and ':'");
    if (key == "descr" && !hasType) {
      std::string code;
      if (!parser.takeString(code)) {
        error = "unsupported element type: structured arrays are not read";
        return false;
      }
      if (!parseType(code, header)) {
        error =
            "unsupported element type '" + code +
            "': expected f2, f4, f8, b1, i1, i2, i4, i8, V2 for bf16, V1 for "
            "f8E4M3FN, or f1 for f8E5M2";
        return false;
      }
      hasType = true;
    } else if (key == "fortran_order" && !hasOrder) {
      header.fortranOrder = parser.takeWord("True");
      if (!header.fortranOrder && !parser.takeWord("False"))
        return fail("'fortran_order' must be True or False");
      hasOrder = true;
    } else if (key == "shape" && !hasShape) {
      if (!parseShape(parser, header.shape))
        return fail("'shape' must be a tuple of extents below 2^63");
      hasShape = true;
    } else {
      return fail("unexpected or repeated key '" + key + "'");
    }
    if (!parser.take(',')) {
      if (!parser.take('}'))
        return fail("expected ',' or '}'");
      break;
    }
  }
  if (!parser.atEnd())
    return fail("text behind the dictionary");
  if (!hasType || !hasOrder || !hasShape)
    return fail("expected the keys 'descr', 'fortran_order' and 'shape'");
  return true;
}

std::string pit::npy::makePrefix(pit_dtype dtype,
                                 const std::vector<int64_t> &shape) {
  std::string text = "{'descr': '";
  for (const TypeCode &known : typeCodes)
    if (known.dtype == dtype)
      text +=
          (pit_dtype_size(dtype) == 1 ? "|" : "<") + std::string(known.code);
  text += "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  text += shape.size() == 1 ? ",), }" : "), }";

  // Data starts at a multiple of 64. A header past 65535 bytes, of a rank no
  // compiler reaches, would need version 2.
  size_t lengthBytes = text.size() + 64 > 0xffff ? 4 : 2;
  size_t fixed = 8 + lengthBytes;
  size_t padded = (fixed + text.size() + 1 + 63) / 64 * 64;
  text.resize(padded - fixed - 1, ' ');
  text += '\n';

  std::string prefix("\x93NUMPY", 6);
  prefix += char(lengthBytes == 2 ? 1 : 2);
  prefix += '\0';
  for (size_t i = 0; i < lengthBytes; ++i)
    prefix += char((text.size() >> (8 * i)) & 0xff);
  return prefix + text;
}
