// What C++ programs that drive real clients of OpenCL share: sub-tests that speak as the CTS's harness does.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

struct sub_test {
  const char *name;
  void (*run)();
};
static std::vector<sub_test> sub_tests;
struct adder {
  adder(const char *name, void (*run)()) { sub_tests.push_back({name, run}); }
};

// device_number is that of the device to test, on the first platform.
static inline size_t device_number() {
  const char *number = getenv("CONFORMANCE_DEVICE");
  return number ? size_t(atoi(number)) : 0;
}

#define TEST(name)                          \
  static void name##_test();                \
  static adder name##_adder(#name, name##_test); \
  static void name##_test()

#define NEED(condition)                                                                                             \
  do {                                                                                                              \
    if (!(condition)) throw std::runtime_error("line " + std::to_string(__LINE__) + ": " #condition);              \
  } while (0)

int main(int argc, char **argv) {
  bool all = argc == 1, bad = false;
  std::string results;
  for (const sub_test &t : sub_tests) {
    if (argc == 2 && !strcmp(argv[1], "--list")) {
      printf("\t%s\n", t.name);
      continue;
    }
    if (!all && std::none_of(argv + 1, argv + argc, [&](char *a) { return !strcmp(a, t.name); })) continue;
    printf("%s...\n", t.name);
    fflush(stdout);
    const char *result = "pass";
    try {
      t.run();
      printf("%s passed\n", t.name);
    } catch (const std::exception &e) {
      result = "fail", bad = true;
      printf("error: %s\n%s FAILED\n", e.what(), t.name);
    }
    results += std::string(results.empty() ? "" : ",") + "\"" + t.name + "\": \"" + result + "\"";
  }
  if (const char *file = getenv("CL_CONFORMANCE_RESULTS_FILENAME"))
    if (FILE *f = fopen(file, "w")) {
      fprintf(f, "{\"cmd\": \"%s\", \"args\": \"\", \"results\": {%s}}\n", argv[0], results.c_str());
      fclose(f);
    }
  return bad;
}
