//===- NpyTest.cpp - Tests of .npy reading and writing --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace pit;

namespace {

/// A directory for one test's files, removed with them.
class NpyTest : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/pit-npy-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override {
    for (const std::string &name : files())
      unlink((folder + "/" + name).c_str());
    rmdir(folder.c_str());
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    DIR *dir = opendir(folder.c_str());
    if (!dir)
      return names;
    while (dirent *entry = readdir(dir))
      if (entry->d_name[0] != '.')
        names.push_back(entry->d_name);
    closedir(dir);
    return names;
  }
  std::string path(const char *name = "a.npy") { return folder + "/" + name; }

  void put(const std::string &bytes) {
    std::ofstream(path(), std::ios::binary) << bytes;
  }
  std::string get(const char *name = "a.npy") {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// A file of the given version around a header's text and the data.
  static std::string file(const std::string &header, const std::string &data,
                          int version = 1) {
    std::string text = "\x93NUMPY";
    text += char(version);
    text += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
      text += char((header.size() >> (8 * i)) & 0xff);
    return text + header + data;
  }
  static std::string header(const std::string &type, const std::string &shape,
                            const char *fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran +
           ", 'shape': " + shape + ", }\n";
  }
  template <typename T> static std::string raw(std::vector<T> values) {
    return {reinterpret_cast<const char *>(values.data()),
            values.size() * sizeof(T)};
  }
  template <typename T> static std::vector<T> values(const npy::Array &array) {
    const T *data = static_cast<const T *>(array.data.data());
    return {data, data + array.numElements()};
  }
  /// Expects a failure that names the file and contains `why`.
  void expectError(const std::string &bytes, const std::string &why) {
    put(bytes);
    npy::Array array;
    std::string error;
    EXPECT_FALSE(npy::read(path(), array, error)) << why;
    EXPECT_NE(error.find(path()), std::string::npos) << error;
    EXPECT_NE(error.find(why), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    EXPECT_EQ(array.dtype, PIT_DTYPE_INVALID);
  }

  std::string folder;
};

TEST_F(NpyTest, RoundTripsEveryType) {
  for (int32_t type = PIT_DTYPE_F16; type <= PIT_DTYPE_F8E5M2; ++type) {
    npy::Array array, back;
    std::string error;
    ASSERT_TRUE(array.allocate(pit_dtype(type), {2, 3}, error));
    auto *bytes = static_cast<unsigned char *>(array.data.data());
    for (size_t i = 0; i < array.data.size(); ++i)
      bytes[i] = type == PIT_DTYPE_I1 ? i % 2 : (unsigned char)(i * 37);
    pit_tensor tensor{array.data.data(), type, 2, array.shape.data(), nullptr};
    ASSERT_TRUE(npy::write(path(), tensor, error)) << error;
    ASSERT_TRUE(npy::read(path(), back, error)) << error;
    EXPECT_EQ(back.dtype, type);
    EXPECT_EQ(back.shape, array.shape);
    ASSERT_EQ(back.data.size(), array.data.size());
    EXPECT_EQ(std::memcmp(back.data.data(), bytes, back.data.size()), 0);
  }
}

TEST_F(NpyTest, RoundTripsShapes) {
  std::vector<std::vector<int64_t>> shapes = {{},  {0},       {1},
                                              {5}, {3, 0, 4}, {1, 2, 3, 4, 5}};
  for (const std::vector<int64_t> &shape : shapes) {
    npy::Array array, back;
    std::string error;
    ASSERT_TRUE(array.allocate(PIT_DTYPE_I32, shape, error));
    pit_tensor tensor{array.data.data(), PIT_DTYPE_I32, int32_t(shape.size()),
                      shape.data(), nullptr};
    ASSERT_TRUE(npy::write(path(), tensor, error)) << error;
    EXPECT_EQ((get().size() - array.data.size()) % 64, 0u);
    ASSERT_TRUE(npy::read(path(), back, error)) << error;
    EXPECT_EQ(back.shape, shape);
  }
}

TEST_F(NpyTest, WritesWhatNumPyWrites) {
  float data[] = {1, 2};
  int64_t shape[] = {2};
  std::string error;
  ASSERT_TRUE(
      npy::write(path(), {data, PIT_DTYPE_F32, 1, shape, nullptr}, error));
  std::string expected =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  expected.resize(128 - 10 - 1, ' ');
  EXPECT_EQ(get(), file(expected + "\n", raw<float>({1, 2})));
}

TEST_F(NpyTest, WritesStridedTensors) {
  float data[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  std::string error;
  npy::Array back;
  ASSERT_TRUE(
      npy::write(path(), {data, PIT_DTYPE_F32, 2, shape, strides}, error));
  ASSERT_TRUE(npy::read(path(), back, error)) << error;
  EXPECT_EQ(values<float>(back), (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST_F(NpyTest, ReadsFortranOrder) {
  put(file(header("<i4", "(2, 3)", "True"), raw<int32_t>({1, 4, 2, 5, 3, 6})));
  npy::Array array;
  std::string error;
  ASSERT_TRUE(npy::read(path(), array, error)) << error;
  EXPECT_EQ(values<int32_t>(array), (std::vector<int32_t>{1, 2, 3, 4, 5, 6}));

  put(file(header("<i8", "(2, 2, 2)", "True"),
           raw<int64_t>({0, 4, 2, 6, 1, 5, 3, 7})));
  ASSERT_TRUE(npy::read(path(), array, error)) << error;
  EXPECT_EQ(values<int64_t>(array),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(NpyTest, ReadsVersionsAndSpellings) {
  std::string error;
  for (int version : {1, 2, 3}) {
    npy::Array array;
    put(file(header("<f8", "(1,)"), raw<double>({2.5}), version));
    ASSERT_TRUE(npy::read(path(), array, error)) << error;
    EXPECT_EQ(values<double>(array), std::vector<double>{2.5});
  }
  npy::Array array;
  // Python 2's long integers, double quotes, other key order, no last comma.
  put(file("{\"shape\": (2L,), \"fortran_order\":False,\"descr\":\"|i1\"}",
           raw<int8_t>({-1, 7})));
  ASSERT_TRUE(npy::read(path(), array, error)) << error;
  EXPECT_EQ(values<int8_t>(array), (std::vector<int8_t>{-1, 7}));
  put(file(header(">i4", "(1,)"), std::string("\0\0\1\2", 4)));
  ASSERT_TRUE(npy::read(path(), array, error)) << error;
  EXPECT_EQ(values<int32_t>(array), std::vector<int32_t>{258});
  for (const char *type : {"<V2", "|V2"}) {
    put(file(header(type, "()"), raw<uint16_t>({0x3f80})));
    ASSERT_TRUE(npy::read(path(), array, error)) << error;
    EXPECT_EQ(array.dtype, PIT_DTYPE_BF16);
  }
  put(file(header("|b1", "(3,)"), std::string("\0\1\2", 3)));
  ASSERT_TRUE(npy::read(path(), array, error)) << error;
  EXPECT_EQ(values<char>(array), (std::vector<char>{0, 1, 1}));
}

TEST_F(NpyTest, RefusesDamagedFiles) {
  std::string data = raw<float>({1, 2});
  std::string good = file(header("<f4", "(2,)"), data);
  expectError("", "not a .npy file");
  expectError("PK\3\4 a zip archive", "not a .npy file");
  expectError(good.substr(0, 7), "not a .npy file");
  expectError(good.substr(0, 9), "truncated header");
  expectError(good.substr(0, 30), "truncated header");
  expectError(good.substr(0, good.size() - 1),
              "truncated data: expected 8 bytes, found 7");
  expectError(good + "x", "bytes behind the data: expected 8 bytes, found 9");
  expectError(file(header("<f4", "(2,)"), data, 4), "format version 4.0");
  expectError(file(header("<f4", "(2,)"), data, 0), "format version 0.0");
  // A header length of 4 GiB.
  expectError(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12),
              "malformed header: its length");
  // Every cut of a valid file is one error, never a crash.
  for (size_t length = 0; length < good.size(); ++length)
    expectError(good.substr(0, length), "");
}

TEST_F(NpyTest, RefusesBadHeaders) {
  std::string data = raw<float>({1, 2});
  auto bad = [&](const std::string &text, const char *why) {
    expectError(file(text, data), why);
  };
  bad("", "expected a dictionary");
  bad("garbage", "expected a dictionary");
  bad("{}", "expected the keys");
  bad("{'descr': '<f4', 'shape': (2,)}", "expected the keys");
  bad("{'descr", "expected a quoted key");
  bad("{descr: 1}", "expected a quoted key");
  bad(header("<f4", "(2,)") + "x", "text behind the dictionary");
  bad(header("<f4", "(2)"), "'shape' must be");
  bad(header("<f4", "(2,, 1)"), "'shape' must be");
  bad(header("<f4", "(2 1)"), "'shape' must be");
  bad(header("<f4", "(-2,)"), "'shape' must be");
  bad(header("<f4", "(2,"), "'shape' must be");
  bad(header("<f4", "2"), "'shape' must be");
  bad(header("<f4", "(99999999999999999999,)"), "'shape' must be");
  bad(header("<f4", "(2,)", "Maybe"), "'fortran_order' must be");
  bad("{'descr': '<f4', 'descr': '<f4'}", "repeated key 'descr'");
  bad("{'descr': '<f4', 'other': 1}", "unexpected or repeated key 'other'");
  bad("{'descr': '<f4' 'shape': (2,)}", "expected ',' or '}'");
}

TEST_F(NpyTest, RefusesTypesAndSizes) {
  std::string data = raw<float>({1, 2});
  for (const char *type : {"<f16", "<u1", "|u4", "<c8", "|S4", "<u2", "|O",
                           "f4", "", "|f4", "<V4", "<M8[ns]"})
    expectError(file(header(type, "(2,)"), data), "unsupported element type");
  expectError(file("{'descr': [('a', '<f4')], 'fortran_order': False, "
                   "'shape': (2,)}",
                   data),
              "structured arrays");
  expectError(file(header("<f4", "(4611686018427387904,)"), data),
              "larger than 2^63 bytes");
  expectError(file(header("<f4", "(4294967296, 4294967296)"), data),
              "larger than 2^63 bytes");
  // A plausible size that the file does not hold is found before allocating.
  expectError(file(header("<f4", "(1099511627776,)"), data), "truncated data");
}

TEST_F(NpyTest, ReportsUnreadableFiles) {
  npy::Array array;
  std::string error;
  EXPECT_FALSE(npy::read(path("missing.npy"), array, error));
  EXPECT_NE(error.find("missing.npy': No such file"), std::string::npos)
      << error;
  EXPECT_FALSE(npy::read(folder, array, error));
  EXPECT_NE(error.find("not a regular file"), std::string::npos) << error;
}

TEST_F(NpyTest, FailedWritesLeaveNothing) {
  float data[] = {1};
  int64_t shape[] = {1};
  pit_tensor good{data, PIT_DTYPE_F32, 1, shape, nullptr};
  pit_tensor bad{nullptr, PIT_DTYPE_F32, 1, shape, nullptr};
  std::string error;
  EXPECT_FALSE(npy::write(path("no/such/folder.npy"), good, error));
  EXPECT_NE(error.find("no/such/folder.npy"), std::string::npos);
  {
    npy::OutputSet outputs;
    EXPECT_TRUE(outputs.stage(path("0.npy"), good, error));
    EXPECT_FALSE(outputs.stage(path("1.npy"), bad, error));
    EXPECT_NE(error.find("invalid tensor"), std::string::npos) << error;
  }
  EXPECT_TRUE(files().empty());
  {
    // A directory stands where the second output should go.
    npy::OutputSet outputs;
    EXPECT_TRUE(outputs.stage(path("0.npy"), good, error));
    EXPECT_TRUE(outputs.stage(folder, good, error));
    EXPECT_FALSE(outputs.commit(error));
  }
  EXPECT_TRUE(files().empty());
  npy::OutputSet outputs;
  EXPECT_TRUE(outputs.stage(path("0.npy"), good, error));
  EXPECT_TRUE(outputs.stage(path("1.npy"), good, error));
  EXPECT_TRUE(outputs.commit(error));
  EXPECT_EQ(files().size(), 2u);
}

} // namespace
