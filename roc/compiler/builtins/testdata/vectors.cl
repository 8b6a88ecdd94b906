// Vector load and store, shuffles, selections and relations against the same done element by element. Each function
// returns the line of the first thing that is wrong, else 0. T, its integer I and unsigned U of the same size, width N.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define TN CAT(T, N)
#define IN CAT(I, N)
#define UN CAT(U, N)
#define CHECK(c) if (!(c)) return __LINE__

static uint state = 1;
static U next(void)
{
    ulong r = 0;
    for (int i = 0; i < 2; i++) {
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        r = r << 32 | state;
    }
    return (U)r;
}

static bool same(T a, T b)
{
    U x, y;
    *(T *)&x = a;
    *(T *)&y = b;
    return x == y;
}

static void fill(U *p, int n) { for (int i = 0; i < n; i++) p[i] = next(); }

static int loads(void)
{
    T a[70], b[70];
    fill((U *)a, 70);
    for (int shift = 0; shift < 3; shift++)
        for (int i = 0; i < 64 / N; i++) {
            TN v = CAT(vload, N)(i, a + shift);
            for (int k = 0; k < N; k++)
                CHECK(same(((T *)&v)[k], a[shift + i * N + k]));
            fill((U *)b, 70);
            T before = b[N], after = b[1 + N * 2];
            CAT(vstore, N)(v, 1, b + 1);
            for (int k = 0; k < N; k++)
                CHECK(same(b[1 + N + k], ((T *)&v)[k]));
            CHECK(same(b[N], before));
            CHECK(same(b[1 + N * 2], after));
        }
    return 0;
}

static int selections(void)
{
    for (int round = 0; round < 20; round++) {
        TN a, b, s, t;
        UN u;
        IN c;
        fill((U *)&a, N); fill((U *)&b, N); fill((U *)&u, N); fill((U *)&c, N);
        s = select(a, b, c);
        t = select(a, b, u);
        TN m;
        *(UN *)&m = u;
        TN r = bitselect(a, b, m);
        for (int k = 0; k < N; k++) {
            CHECK(same(((T *)&s)[k], c[k] < 0 ? ((T *)&b)[k] : ((T *)&a)[k]));
            CHECK(same(((T *)&t)[k], (I)u[k] < 0 ? ((T *)&b)[k] : ((T *)&a)[k]));
            U x = ((U *)&a)[k], y = ((U *)&b)[k], z = ((U *)&r)[k];
            CHECK(z == (U)((x & ~u[k]) | (y & u[k])));
        }
        int some = 0, every = 1;
        for (int k = 0; k < N; k++) {
            some |= c[k] < 0;
            every &= c[k] < 0;
        }
        CHECK(any(c) == some);
        CHECK(all(c) == every);
        CHECK(all((IN)(-1)) == 1);
        CHECK(any((IN)0) == 0);
    }
    return 0;
}

#if N != 3
#define SHUFFLES(M) \
    static int shuffles##M(void) \
    { \
        for (int round = 0; round < 10; round++) { \
            TN a, b; \
            CAT(U, M) m; \
            fill((U *)&a, N); fill((U *)&b, N); fill((U *)&m, M); \
            CAT(T, M) r = shuffle(a, m), s = shuffle2(a, b, m); \
            for (int k = 0; k < M; k++) { \
                CHECK(same(((T *)&r)[k], ((T *)&a)[m[k] % N])); \
                CHECK(same(((T *)&s)[k], (m[k] % (2 * N) < N ? (T *)&a : (T *)&b)[m[k] % N])); \
            } \
        } \
        return 0; \
    }
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)
#endif

#ifdef FLOATING
static int relations(void)
{
    const T special[] = {(T)0, (T)-0.0f, (T)1, (T)-1, (T)2, (T)INFINITY, (T)-INFINITY, (T)NAN, (T)1.5f, LEAST};
    for (int round = 0; round < 100; round++) {
        TN a, b;
        for (int k = 0; k < N; k++) {
            ((T *)&a)[k] = special[(uint)next() % 10];
            ((T *)&b)[k] = special[(uint)next() % 10];
        }
        IN r[14] = {isequal(a, b), isnotequal(a, b), isgreater(a, b), isgreaterequal(a, b), isless(a, b), islessequal(a, b), islessgreater(a, b),
                    isordered(a, b), isunordered(a, b), isfinite(a), isinf(a), isnan(a), isnormal(a), signbit(a)};
        for (int k = 0; k < N; k++) {
            T x = ((T *)&a)[k], y = ((T *)&b)[k];
            bool nan = x != x || y != y, inf = x == (T)INFINITY || x == (T)-INFINITY, minus = (I)((U *)&a)[k] < 0;
            bool want[14] = {!nan && x == y, nan || x != y, !nan && x > y, !nan && x >= y, !nan && x < y, !nan && x <= y, !nan && x != y,
                             !nan, nan, x == x && !inf, inf, x != x, x == x && !inf && x != (T)0 && x != LEAST, minus};
            int scalar[14] = {isequal(x, y), isnotequal(x, y), isgreater(x, y), isgreaterequal(x, y), isless(x, y), islessequal(x, y), islessgreater(x, y),
                              isordered(x, y), isunordered(x, y), isfinite(x), isinf(x), isnan(x), isnormal(x), signbit(x)};
            for (int f = 0; f < 14; f++) {
                CHECK(((I *)&r[f])[k] == (I)-(int)want[f]);
                CHECK(scalar[f] == (int)want[f]);
            }
        }
    }
    return 0;
}
#endif

void test(int *line)
{
    int r = loads();
    if (!r) r = selections();
#if N != 3
    if (!r) r = shuffles2();
    if (!r) r = shuffles4();
    if (!r) r = shuffles8();
    if (!r) r = shuffles16();
#endif
#ifdef FLOATING
    if (!r) r = relations();
#endif
    *line = r;
}
