//===- Options.cpp - What pit-run was asked to do -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RandomData.h"

#include "pit_runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <unistd.h>

using namespace pit::run;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::vector<std::string> pit::run::splitText(const std::string &text,
                                             char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos)
      return parts;
    begin = end + 1;
  }
}

bool pit::run::parseNumber(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && text.front() != ' ' && *end == '\0';
}

bool pit::run::parseNumber(const std::string &text, uint64_t &value) {
  value = 0;
  for (char c : text) {
    uint64_t digit = uint64_t(c) - '0';
    if (digit > 9 || __builtin_mul_overflow(value, uint64_t(10), &value) ||
        __builtin_add_overflow(value, digit, &value))
      return false;
  }
  return !text.empty();
}

bool pit::run::parseShape(const std::string &text,
                          std::vector<int64_t> &shape) {
  shape.clear();
  if (text.empty())
    return true;
  for (const std::string &part : splitText(text, 'x')) {
    uint64_t extent;
    if (!parseNumber(part, extent) || extent > uint64_t(INT64_MAX))
      return false;
    shape.push_back(int64_t(extent));
  }
  return true;
}

int pit::run::fail(const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "pit-run: error: %s\n", message.c_str());
  return 1;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

namespace {

struct Option {
  const char *name;
  /// What the value is called in the help; null for a flag.
  const char *value;
  const char *help;
  /// Whether only a program's source can have it.
  bool needsCompiler;
  /// False for a value that is none; `why` may say what is expected.
  std::function<bool(const std::string &value, std::string &why)> store;
  /// What it means without a value; null where it needs one.
  const char *bare = nullptr;
};

} // namespace

static bool storeTarget(Options &options, const std::string &value,
                        std::string &why) {
  options.target = value;
  if (value == "auto" || value == "cpu" || value == "cuda")
    return true;
  why = "unknown target '" + value + "': expected auto, cpu or cuda";
  return false;
}

static bool storeReport(Options &options, const std::string &value,
                        std::string &why) {
  auto endsWith = [&](const std::string &end) {
    return value.size() > end.size() &&
           value.compare(value.size() - end.size(), end.size(), end) == 0;
  };
  options.report = true;
  options.reportAll |= value == "all";
  if (value.empty() || value == "all")
    return true;
  options.reportFile = value;
  why = "--report=" + value +
        ": expected all, or a file whose name ends in .html or .json";
  return endsWith(".html") || endsWith(".json");
}

static bool storeShape(Options &options, const std::string &value,
                       std::string &why) {
  size_t equals = value.find('=');
  uint64_t argument;
  std::vector<int64_t> shape;
  if (equals == std::string::npos || equals + 1 == value.size() ||
      !parseNumber(value.substr(0, equals), argument) ||
      argument > UINT32_MAX || !parseShape(value.substr(equals + 1), shape)) {
    why = "--shape=" + value + ": expected ARGUMENT=EXTENTS, such as 0=8x128";
    return false;
  }
  if (options.shapes.emplace(unsigned(argument), shape).second)
    return true;
  why = "--shape is given twice for argument #" + std::to_string(argument);
  return false;
}

/// Makes an option of the pipeline of the same name, and with the same meaning,
/// that takes one of `values`.
static Option makePipelineOption(Options &options, const char *name,
                                 std::vector<std::string> values,
                                 const char *help, bool onlyForCUDA) {
  auto store = [&options, name, values, onlyForCUDA](const std::string &value,
                                                     std::string &why) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      why = std::string("--") + name + "=" + value + ": expected ";
      for (size_t i = 0; i < values.size(); ++i)
        why += (i == 0                  ? ""
                : i + 1 < values.size() ? ", "
                                        : " or ") +
               values[i];
      return false;
    }
    (onlyForCUDA ? options.kernelPipeline : options.pipeline) +=
        std::string(" ") + name + "=" + value;
    if (onlyForCUDA && options.onlyForCUDA.empty())
      options.onlyForCUDA = name;
    return true;
  };
  bool isFlag = values.front() == "true";
  return {name,  isFlag ? "BOOL" : "NAME", help, true,
          store, isFlag ? "true" : nullptr};
}

static std::vector<Option> makeOptions(Options &options) {
  auto text = [](std::string &into) {
    return [&into](const std::string &value, std::string &) {
      into = value;
      return true;
    };
  };
  auto flag = [](bool &into) {
    return [&into](const std::string &, std::string &) { return into = true; };
  };
  auto binding = [&options](bool isFile) {
    return [&options, isFile](const std::string &value, std::string &) {
      options.bindings.push_back({isFile, value});
      return true;
    };
  };
  return {
      {"load", "FILE.so", "Run a program that pit-compile made", false,
       text(options.load)},
      {"entry", "NAME", "Function to run (main, or the only public one)", false,
       text(options.entry)},
      {"target", "NAME",
       "cpu, cuda, or auto: cuda where a device answers (auto)", false,
       [&options](const std::string &value, std::string &why) {
         return storeTarget(options, value, why);
       }},
      {"chip", "sm_XY",
       "The chip that kernels are compiled for; by default the best known one "
       "for the device",
       true, text(options.chip)},
      {"input", "FILE.npy", "The next argument is read from this file", false,
       binding(true)},
      {"random", "SPEC",
       "The next argument is generated (see below); the last --random also "
       "serves all arguments behind it",
       false, binding(false)},
      {"shape", "ARG=AxB", "Extents of a generated argument that has '?'",
       false,
       [&options](const std::string &value, std::string &why) {
         return storeShape(options, value, why);
       }},
      {"output", "PREFIX", "Write result N to PREFIX.N.npy", false,
       text(options.outputPrefix)},
      {"save-inputs", "PREFIX", "Write argument N to PREFIX.N.npy", false,
       text(options.inputsPrefix)},
      {"print", nullptr, "Print the results' values", false,
       flag(options.print)},
      {"check", nullptr, "Compare with the dense program; fails on a mismatch",
       true, flag(options.check)},
      {"tolerance", "T",
       "Largest |sparse - dense| / max(1, |dense|) that --check accepts, 0 for "
       "equality. Without it: twice the dense program's own error against f64, "
       "plus one ulp; of f64, 1e-13 of the largest element",
       true,
       [&options](const std::string &value, std::string &why) {
         double tolerance;
         if (!parseNumber(value, tolerance))
           return false;
         options.tolerance = tolerance;
         why = "--tolerance must not be negative";
         return tolerance >= 0;
       }},
      {"bench", "N",
       "Time the program N times and, where it is compiled here, the dense one",
       false,
       [&options](const std::string &value, std::string &why) {
         uint64_t runs;
         if (!parseNumber(value, runs) || runs > UINT32_MAX)
           return false;
         options.bench = unsigned(runs);
         why = "--bench needs at least one run";
         return runs > 0;
       }},
      {"threads", "N",
       "Threads of a program on the CPU; all CPUs by default, or what "
       "PIT_NUM_THREADS says",
       false,
       [&options](const std::string &value, std::string &why) {
         uint64_t threads;
         if (!parseNumber(value, threads))
           return false;
         options.threads = unsigned(threads);
         why = "--threads wants 1 to 1024";
         return threads >= 1 && threads <= 1024;
       }},
      {"opt-level", "N",
       "Optimise code for the CPU as LLVM's -O0 to -O3 do (3): less is made in "
       "a part of the time, and slower",
       false,
       [&options](const std::string &value, std::string &why) {
         uint64_t level;
         if (!parseNumber(value, level))
           return false;
         options.optLevel = unsigned(level);
         why = "--opt-level wants 0 to 3";
         return level <= 3;
       }},
      {"report", "all|FILE",
       "Print what the rules that matter most skipped, and their times: all "
       "rules, or to a page FILE.html, or as FILE.json, too",
       true,
       [&options](const std::string &value, std::string &why) {
         return storeReport(options, value, why);
       },
       ""},
      {"no-dense-variants", nullptr,
       "Skip also where the dense op would take less time", true,
       [&options](const std::string &, std::string &) {
         options.denseVariants = false;
         return true;
       }},
      makePipelineOption(options, "strict", {"true", "false"},
                         "Do not compact floating-point sums, nor reorder "
                         "long ones (false)",
                         /*onlyForCUDA=*/false),
      makePipelineOption(options, "finite", {"true", "false"},
                         "Live data is finite: 0 * x = 0 (true)",
                         /*onlyForCUDA=*/false),
      makePipelineOption(options, "unchecked-extents", {"true", "false"},
                         "Do not check what extents must be: wrong ones read "
                         "and write outside of tensors (false)",
                         /*onlyForCUDA=*/false),
      makePipelineOption(options, "short-segments", {"true", "false"},
                         "For CUDA: expect segments (experts, sequences) of "
                         "less than about 256 rows (false)",
                         /*onlyForCUDA=*/true),
      makePipelineOption(options, "f32-products", {"simt", "tf32", "tf32x3"},
                         "For CUDA: how f32 are multiplied, simt, tf32 or "
                         "tf32x3 (simt)",
                         /*onlyForCUDA=*/true),
      {"card", "NAME|FILE",
       "For CUDA: the card that kernels are planned for, a name (h100), a "
       "database that pit-tune wrote, or a folder of those; by default what "
       "PIT_CARD says, or the device's",
       true,
       [&options](const std::string &value, std::string &why) {
         options.card = value;
         if (options.onlyForCUDA.empty())
           options.onlyForCUDA = "card";
         why = "--card: expected a name, a file or a folder";
         return !value.empty();
       }},
      {"features", "+ptxNN",
       "For CUDA: the PTX version; by default the chip's first", true,
       [&options](const std::string &value, std::string &why) {
         options.features = value;
         if (options.onlyForCUDA.empty())
           options.onlyForCUDA = "features";
         why =
             "--features=" + value + ": expected a PTX version, such as +ptx83";
         return value.size() > 4 && value.compare(0, 4, "+ptx") == 0 &&
                value.find_first_not_of("0123456789", 4) == std::string::npos;
       }},
      {"progress", "S",
       "Say on stderr what takes longer than S seconds (2 on a terminal, else "
       "never)",
       false,
       [&options](const std::string &value, std::string &why) {
         why = "--progress=" + value + ": expected seconds, 0 or more";
         double seconds;
         if (!parseNumber(value, seconds) || !(seconds >= 0))
           return false;
         options.reportAfter = seconds;
         return true;
       }},
      {"quiet", nullptr, "Do not say what takes long", false,
       [&options](const std::string &, std::string &) {
         options.reportAfter.reset();
         return true;
       }},
      {"seed", "N", "Seed of generated arguments (0)", false,
       [&options](const std::string &value, std::string &) {
         return parseNumber(value, options.seed);
       }}};
}

static void printShortHelp(bool hasCompiler) {
  if (!hasCompiler) {
    std::printf("Runs compiled programs.\n\nUSAGE: pit-run [options] "
                "--load=FILE.so\n\nEXAMPLE:\n  pit-run --load=model.so "
                "--random=normal@300x256 --bench=9\n\n--help-all lists the "
                "options and the kinds of generated arguments.\n");
    return;
  }
  std::printf("%s", R"(Compiles a program written dense and runs it sparse.

USAGE: pit-run [options] FILE.mlir | --load=FILE.so

OPTIONS that are used most:
  --input=FILE.npy        The next argument is read from this file
  --random=SPEC           The next argument is generated; the last, the rest
  --check                 Compare with the dense program; fails on a mismatch
  --bench=N               Time the program and the dense one
  --report[=FILE.html]    Print what was skipped; or make a page of the run
  --output=PREFIX         Write result N to PREFIX.N.npy
  --target=NAME           cpu, cuda, or auto: cuda where a device answers

EXAMPLES:
  pit-run examples/torch/moe_gate_arg.mlir --random=normal \
    --random=topk-gate:1 --random=normal:0.05 --check --bench=5
  pit-run examples/sparse_matmul_m.mlir --random=normal@300x256 \
    --random=bool:0.3@300 --random=normal --report=run.html
  pit-compile examples/sparse_matmul_m.mlir -o model.so

--help-all lists all options and the kinds of generated arguments.
)");
}

static void printHelp(const std::vector<Option> &known, bool hasCompiler) {
  std::printf("%s\n\nUSAGE: pit-run [options] %s\n\nOPTIONS:\n",
              hasCompiler ? "Compiles a program written dense and runs it "
                            "sparse, or runs a compiled one"
                          : "Runs compiled programs",
              hasCompiler ? "FILE.mlir | --load=FILE.so" : "--load=FILE.so");
  for (const Option &option : known) {
    if (option.needsCompiler && !hasCompiler)
      continue;
    std::string name = std::string("--") + option.name;
    if (option.value)
      name += (option.bare ? "[=" : "=") + std::string(option.value) +
              (option.bare ? "]" : "");
    std::printf("  %-23s %s\n", name.c_str(), option.help);
  }
  std::printf("%s", randomDataHelp());
}

/// What goes together, once everything is known.
static bool checkTogether(const Options &options,
                          const std::vector<Option> &known,
                          const std::vector<std::string> &given,
                          bool hasCompiler, std::string &error) {
  if (!hasCompiler && (options.load.empty() || !options.file.empty())) {
    error = "expected --load FILE.so alone: this pit-run has no compiler";
    return false;
  }
  if (options.file.empty() == options.load.empty()) {
    error = options.file.empty()
                ? "expected a FILE.mlir"
                : "expected a FILE.mlir or --load FILE.so, not both";
    return false;
  }
  if (options.load.empty())
    return true;
  for (const Option &option : known)
    for (const std::string &name : given)
      if (option.needsCompiler && name == option.name) {
        error = "--" + name + " needs the program's source, not --load";
        return false;
      }
  return true;
}

static bool parse(int argc, char **argv, const std::vector<Option> &known,
                  Options &options, std::vector<std::string> &given,
                  std::string &error) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.size() < 2 || word[0] != '-') {
      if (!options.file.empty()) {
        error = "expected one FILE.mlir, got '" + options.file + "' and '" +
                word + "'";
        return false;
      }
      options.file = word;
      continue;
    }
    size_t begin = word[1] == '-' ? 2 : 1, equals = word.find('=');
    std::string name = word.substr(
        begin, equals == std::string::npos ? equals : equals - begin);
    const Option *option = nullptr;
    for (const Option &candidate : known)
      if (name == candidate.name)
        option = &candidate;
    if (!option) {
      error = "unknown option '" + word + "'; pit-run --help-all lists them";
      return false;
    }
    bool hasValue = equals != std::string::npos;
    if (!option->value && hasValue) {
      error = "--" + name + " takes no value";
      return false;
    }
    if (option->value && !option->bare && !hasValue && i + 1 == argc) {
      error = "--" + name + " needs a value, --" + name + "=" + option->value;
      return false;
    }
    std::string value = hasValue        ? word.substr(equals + 1)
                        : option->bare  ? option->bare
                        : option->value ? argv[++i]
                                        : "";
    std::string why;
    if (!option->store(value, why)) {
      error = !why.empty() ? why
                           : "--" + name + "=" + value + ": expected a number";
      return false;
    }
    given.push_back(name);
  }
  return true;
}

std::optional<Options> pit::run::parseOptions(int argc, char **argv,
                                              bool hasCompiler, int &exitCode) {
  Options options;
  options.target = "auto";
  std::vector<Option> known = makeOptions(options);
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    exitCode = 0;
    if (word == "--help" || word == "-help" || word == "-h") {
      printShortHelp(hasCompiler);
      return std::nullopt;
    }
    if (word == "--help-all" || word == "-help-all") {
      printHelp(known, hasCompiler);
      return std::nullopt;
    }
    if (word == "--version") {
      std::printf("pit-run %s, runtime %d.%d\n", PIT_VERSION,
                  int(pit_runtime_version() / 1000),
                  int(pit_runtime_version() % 1000));
      return std::nullopt;
    }
  }
  std::vector<std::string> given;
  std::string error;
  if (parse(argc, argv, known, options, given, error) &&
      checkTogether(options, known, given, hasCompiler, error))
    return options;
  exitCode = fail(error);
  return std::nullopt;
}
