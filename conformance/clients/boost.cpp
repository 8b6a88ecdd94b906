// Boost.Compute's algorithms against the standard library's.
#include "client.h"
#include <boost/compute.hpp>

namespace compute = boost::compute;
static compute::device device = compute::system::devices()[device_number()];
static compute::context context(device);
static compute::command_queue queue(context, device);

template <class T> static std::vector<T> some(size_t n) {
  std::mt19937 random(7);
  std::vector<T> v(n);
  for (T &x : v) x = T(random() % 100000) - T(std::is_signed<T>::value ? 50000 : 0);
  return v;
}

static const size_t sizes[] = {1, 2, 100, 1023, 65537};

TEST(transform) {
  for (size_t n : sizes) {
    std::vector<float> a = some<float>(n);
    compute::vector<float> v(a.begin(), a.end(), queue);
    compute::transform(v.begin(), v.end(), v.begin(), compute::_1 * 2.0f + 1.0f, queue);
    compute::copy(v.begin(), v.end(), a.begin(), queue);
    std::vector<float> b = some<float>(n);
    for (size_t i = 0; i < n; i++) NEED(a[i] == b[i] * 2.0f + 1.0f);
  }
}

template <class T> static void sorted() {
  for (size_t n : sizes) {
    std::vector<T> a = some<T>(n), b = a;
    compute::vector<T> v(a.begin(), a.end(), queue);
    compute::sort(v.begin(), v.end(), queue);
    std::sort(b.begin(), b.end());
    compute::copy(v.begin(), v.end(), a.begin(), queue);
    NEED(a == b);
  }
}
TEST(sort_int) { sorted<int>(); }
TEST(sort_float) { sorted<float>(); }

TEST(sort_by_key) {
  for (size_t n : sizes) {
    std::vector<int> a = some<int>(n), index(n);
    std::iota(index.begin(), index.end(), 0);
    compute::vector<int> k(a.begin(), a.end(), queue), v(index.begin(), index.end(), queue);
    compute::sort_by_key(k.begin(), k.end(), v.begin(), queue);
    compute::copy(v.begin(), v.end(), index.begin(), queue);
    for (size_t i = 1; i < n; i++) NEED(a[index[i - 1]] <= a[index[i]]);
  }
}

TEST(reduce_and_scan) {
  for (size_t n : sizes) {
    std::vector<int> a = some<int>(n), b(n), c(n);
    compute::vector<int> v(a.begin(), a.end(), queue), w(n, context);
    int sum = 0;
    compute::reduce(v.begin(), v.end(), &sum, compute::plus<int>(), queue);
    NEED(sum == std::accumulate(a.begin(), a.end(), 0));
    compute::inclusive_scan(v.begin(), v.end(), w.begin(), queue);
    compute::copy(w.begin(), w.end(), b.begin(), queue);
    std::partial_sum(a.begin(), a.end(), c.begin());
    NEED(b == c);
    NEED(compute::count_if(v.begin(), v.end(), compute::_1 > 0, queue) == size_t(std::count_if(a.begin(), a.end(), [](int x) { return x > 0; })));
    NEED(*compute::max_element(v.begin(), v.end(), queue) == *std::max_element(a.begin(), a.end()));
  }
}

TEST(search_and_sets) {
  std::vector<int> a = some<int>(5000), b = a;
  std::sort(b.begin(), b.end());
  compute::vector<int> v(b.begin(), b.end(), queue);
  NEED(compute::binary_search(v.begin(), v.end(), b[1234], queue));
  NEED(size_t(compute::lower_bound(v.begin(), v.end(), b[1234], queue) - v.begin()) == size_t(std::lower_bound(b.begin(), b.end(), b[1234]) - b.begin()));
  auto end = compute::unique(v.begin(), v.end(), queue);
  NEED(end - v.begin() == std::unique(b.begin(), b.end()) - b.begin());
}
