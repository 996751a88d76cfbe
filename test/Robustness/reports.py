"""Whose code a crash is in: PIT's or upstream's, by what LLVM and the sanitizers print about it."""

import re

# LLVM's own reports.
CRASH = re.compile(r"LLVM ERROR|Assertion|PLEASE submit a bug report|UNREACHABLE|terminate called|Stack dump")
MEMORY = re.compile(r"out of memory|bad_alloc|Allocation failed|Unable to allocate|hard rss limit", re.I)
NOISE = re.compile(r"PrintStackTrace|RunSignalHandlers|SignalHandler|libc\.so|abort|raise|std::terminate|__cxa|report_bad_alloc|"
                   r"libstdc\+\+|report_fatal_error|operator new|llvm_unreachable|libLLVM\S*\+0x\w+\)\s*$|^\(\S*libLLVM|\./|pthread_kill")
# Reports of the sanitizers, and of libFuzzer.
SANITIZERS = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0:allow_user_poisoning=0:detect_container_overflow=0",
              "UBSAN_OPTIONS": "print_stacktrace=1"}
SANITIZER_CRASH = re.compile(r"runtime error:|ERROR: AddressSanitizer|AddressSanitizer:DEADLYSIGNAL|hard rss limit")
SUMMARY = re.compile(r"(runtime error: .*|ERROR: AddressSanitizer: [\w-]+|ERROR: libFuzzer: [\w -]+|LLVM ERROR: .*|.*Assertion .*)")
FRAME = re.compile(r"^ *#\d+ +0x[0-9a-f]+ (?:in )?(.*?) *(?:\(([^()+]*)\+0x[0-9a-f]+\).*|(\.?/\S+))?$", re.M)
# Frames that say how a failure is noticed, and not where.
NOTICING = re.compile(r"^(syscall|__pthread|__asan|__ubsan|__sanitizer|__interceptor|___interceptor|fuzzer::|gsignal|raise|abort|__libc|pthread_kill|mem(cpy|move|set)|"
                      r"operator new|malloc|calloc|realloc|llvm::sys::|llvm::report_fatal|llvm::install_|__GI|void __|std::terminate|__cxa)|SignalHandler")


def blame_dump(errors):
    """(`PIT` or `upstream`, the innermost frames) of a crash, by the module that holds the innermost frame. PIT's, too, is what
    leaves no stack."""
    frames = []
    for match in re.finditer(r"^ *#\d+ +0x[0-9a-f]+ +(.*)$", errors, re.M):
        if not NOISE.search(match.group(1)):
            frames.append(match.group(1))
    # A frame reads `symbol file:line:column` or `symbol (module+offset)`, the former where the module has more than the symbols that
    # it exports, as PIT's tools have. Upstream's headers are compiled into them, too.
    frames = [frame for frame in frames if not re.search(r" /usr/\S*/include/\S+:\d+(:\d+)?$", frame)]
    inner = frames[0] if frames else ""
    is_ours = "pit-opt" in inner or "mlir::pit" in inner or re.search(r" (?!/usr/)\S+\.(cpp|c|h):\d+(:\d+)?$", inner)
    owner = "PIT" if is_ours or not inner else "upstream"
    names = [re.sub(r"\(.*|\s+/.*|0x[0-9a-f]+", "", frame.replace("(anonymous namespace)::", "")).strip() or frame for frame in frames[:4]]
    message = next((text.strip() for text in errors.splitlines() if re.search(r"LLVM ERROR|Assertion|UNREACHABLE|terminate", text)), "")
    return owner, [message] * bool(message) + names


def is_pit(symbol, place):
    return "pit::" in symbol or (not place.startswith(("/usr/", "./")) and re.search(r"\.(cpp|c|h)\b", place) is not None)


def blame_sanitizer(errors):
    """(`PIT` or `upstream`, what was noticed, the innermost frames). PIT's, too, is what leaves no stack, and what upstream code does
    that PIT's calls, or calls through one other function: PIT may have given it what it does not take."""
    summary = SUMMARY.search(errors)
    # LLVM may have printed the same stack in front.
    frames = [(match.group(1), match.group(2) or match.group(3) or "")
              for match in FRAME.finditer(errors, errors.find("ERROR: AddressSanitizer") + 1)]
    # Signals are delivered through libc, and noticed in libLLVM.
    frames = [frame for frame in frames if not NOTICING.search(frame[0]) and not (not frame[0] and re.search(r"/lib(c|LLVM)\b", frame[1]))]
    # Upstream's headers are compiled into PIT's code as well.
    functions = [frame for frame in frames if not (frame[1].startswith("/usr/") and "/include/" in frame[1])]
    owner = "upstream" if functions and not any(is_pit(*frame) for frame in functions[:3]) else "PIT"
    names = [re.sub(r"\(.*", "", symbol.replace("(anonymous namespace)::", "")) for symbol, _ in frames[:4]]
    return owner, re.sub(r"0x[0-9a-f]+|\d{4,}", "N", summary.group(1)) if summary else "no message", names
