// ViennaCL: dense and sparse linear algebra against plain loops.
#define VIENNACL_WITH_OPENCL
#include "client.h"
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

// choose has ViennaCL use the device to test. Its own variables must be there, so it cannot be done before main.
static void choose() {
  static bool done = false;
  if (!done) viennacl::ocl::setup_context(0, viennacl::ocl::get_platforms()[0].devices()[device_number()]);
  done = true;
}

template <class T> static std::vector<T> some(size_t n) {
  std::mt19937 random(5);
  std::vector<T> v(n);
  for (T &x : v) x = T(random() % 2001) / T(1000) - T(1);
  return v;
}

template <class T> static bool close(T a, T b, T scale) { return std::abs(a - b) <= scale * (sizeof(T) == 4 ? T(1e-4) : T(1e-11)); }

template <class T> static void vectors() {
  choose();
  for (size_t n : {1, 100, 5001}) {
    std::vector<T> a = some<T>(n), b(a.rbegin(), a.rend()), c(n);
    viennacl::vector<T> x(n), y(n), z(n);
    viennacl::copy(a, x);
    viennacl::copy(b, y);
    z = T(2) * x - y;
    z += viennacl::linalg::element_prod(x, y);
    viennacl::copy(z, c);
    T dot = 0;
    for (size_t i = 0; i < n; i++) {
      NEED(close(c[i], 2 * a[i] - b[i] + a[i] * b[i], T(1)));
      dot += a[i] * b[i];
    }
    T got = viennacl::linalg::inner_prod(x, y), norm = viennacl::linalg::norm_2(x), square = 0;
    for (T v : a) square += v * v;
    NEED(close(got, dot, T(n)));
    NEED(close(norm, std::sqrt(square), T(n)));
  }
}
TEST(vectors_float) { vectors<float>(); }
TEST(vectors_double) { vectors<double>(); }

template <class T> static void matrices() {
  choose();
  const size_t m = 70, k = 45, n = 33;
  std::vector<T> fa = some<T>(m * k), fb = some<T>(k * n);
  std::vector<std::vector<T>> a(m, std::vector<T>(k)), b(k, std::vector<T>(n)), c(m, std::vector<T>(n));
  for (size_t i = 0; i < m * k; i++) a[i / k][i % k] = fa[i];
  for (size_t i = 0; i < k * n; i++) b[i / n][i % n] = fb[i];
  viennacl::matrix<T> x(m, k), y(k, n), z(m, n);
  viennacl::copy(a, x);
  viennacl::copy(b, y);
  z = viennacl::linalg::prod(x, y);
  viennacl::copy(z, c);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      T s = 0;
      for (size_t l = 0; l < k; l++) s += a[i][l] * b[l][j];
      NEED(close(c[i][j], s, T(k)));
    }
}
TEST(matrices_float) { matrices<float>(); }
TEST(matrices_double) { matrices<double>(); }

TEST(conjugate_gradient) {
  choose();
  const size_t n = 400; // -u'' on a line
  std::vector<std::map<unsigned, double>> a(n);
  std::vector<double> right(n, 1), u(n);
  for (size_t i = 0; i < n; i++) {
    a[i][i] = 2.01;
    if (i > 0) a[i][i - 1] = -1;
    if (i + 1 < n) a[i][i + 1] = -1;
  }
  viennacl::compressed_matrix<double> m(n, n);
  viennacl::vector<double> b(n);
  viennacl::copy(a, m);
  viennacl::copy(right, b);
  viennacl::vector<double> x = viennacl::linalg::solve(m, b, viennacl::linalg::cg_tag(1e-10, 2000));
  viennacl::copy(x, u);
  for (size_t i = 0; i < n; i++) {
    double r = 2.01 * u[i] - (i > 0 ? u[i - 1] : 0) - (i + 1 < n ? u[i + 1] : 0) - 1;
    NEED(std::abs(r) < 1e-6);
  }
}
