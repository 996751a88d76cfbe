//===- TextMutator.cpp - Changes of programs, token by token --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutator.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

using namespace pit::fuzz;

namespace {

/// What may stand for each other.
enum class Kind { space, number, name, word, sign };

struct Token {
  Kind kind;
  std::string text;
};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$';
}

std::vector<Token> split(const std::string &text) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t start = i;
    unsigned char first = static_cast<unsigned char>(text[i++]);
    Kind kind = Kind::sign;
    if (std::isspace(first)) {
      kind = Kind::space;
      while (i < text.size() && text[i] != '\n' && text[i - 1] != '\n' &&
             std::isspace(static_cast<unsigned char>(text[i])))
        ++i;
    } else if (isWordCharacter(char(first)) || first == '%' || first == '#' ||
               first == '@' || first == '!') {
      kind = std::isdigit(first)            ? Kind::number
             : isWordCharacter(char(first)) ? Kind::word
                                            : Kind::name;
      while (i < text.size() && isWordCharacter(text[i]))
        ++i;
    }
    tokens.push_back({kind, text.substr(start, i - start)});
  }
  return tokens;
}

/// [first, last) of the line with the token at `at`, its newline included.
std::pair<size_t, size_t> findLine(const std::vector<Token> &tokens,
                                   size_t at) {
  auto ends = [&](size_t i) { return tokens[i].text.back() == '\n'; };
  size_t first = at, last = at;
  while (first > 0 && !ends(first - 1))
    --first;
  while (last < tokens.size() && !ends(last))
    ++last;
  return {first, std::min(last + 1, tokens.size())};
}

class Mutation {
public:
  Mutation(std::vector<Token> &tokens, std::minstd_rand &dice)
      : tokens(tokens), dice(dice) {}

  void apply() {
    switch (draw(8)) {
    case 0:
      return erase();
    case 1:
      return repeat();
    case 2:
      return changeNumber();
    case 3:
      return changeLine();
    default:
      return replace();
    }
  }

private:
  size_t draw(size_t count) { return dice() % count; }

  /// Some token that is no space, or the last one that was looked at.
  size_t pick() {
    size_t at = draw(tokens.size());
    for (int i = 0; i < 8 && tokens[at].kind == Kind::space; ++i)
      at = draw(tokens.size());
    return at;
  }

  void erase() { tokens.erase(tokens.begin() + std::ptrdiff_t(pick())); }

  void repeat() {
    size_t at = pick();
    tokens.insert(tokens.begin() + std::ptrdiff_t(at), tokens[at]);
  }

  /// Another token of the same kind, from elsewhere in the program.
  void replace() {
    size_t at = pick();
    for (int i = 0; i < 32; ++i) {
      const Token &other = tokens[draw(tokens.size())];
      if (other.kind != tokens[at].kind || other.text == tokens[at].text)
        continue;
      tokens[at].text = other.text;
      return;
    }
  }

  void changeNumber() {
    static const char *const kNumbers[] = {
        "0", "1",  "2",  "3",   "7",   "-1",         "?",
        "8", "16", "64", "127", "256", "4294967297", "9223372036854775807"};
    for (int i = 0; i < 32; ++i) {
      Token &token = tokens[draw(tokens.size())];
      if (token.kind != Kind::number)
        continue;
      token.text = kNumbers[draw(std::size(kNumbers))];
      return;
    }
  }

  /// Takes a line away, or puts a copy of it elsewhere.
  void changeLine() {
    auto [first, last] = findLine(tokens, draw(tokens.size()));
    auto begin = tokens.begin();
    if (draw(2) == 0) {
      if (last - first < tokens.size())
        tokens.erase(begin + std::ptrdiff_t(first),
                     begin + std::ptrdiff_t(last));
      return;
    }
    std::vector<Token> line(begin + std::ptrdiff_t(first),
                            begin + std::ptrdiff_t(last));
    size_t to = findLine(tokens, draw(tokens.size())).first;
    tokens.insert(begin + std::ptrdiff_t(to), line.begin(), line.end());
  }

  std::vector<Token> &tokens;
  std::minstd_rand &dice;
};

} // namespace

std::string pit::fuzz::mutateText(const std::string &text,
                                  std::minstd_rand &dice) {
  std::vector<Token> tokens = split(text);
  for (size_t i = 0, count = 1 + dice() % 3; i < count && !tokens.empty(); ++i)
    Mutation(tokens, dice).apply();
  std::string changed;
  for (const Token &token : tokens)
    changed += token.text;
  return changed;
}
