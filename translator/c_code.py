"""What every translated file begins with, and the C of each type."""

from __future__ import annotations

from typing import Any

from translator.types import C_TYPES, Array, Bundle, c_type, common

PRELUDE = """\
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAS_AVX2
#include <cpuid.h>
#endif

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef union { int64_t i; double d; void *p; } Slot;
typedef struct Block { struct Block *next; int64_t unused; } Block;
static _Thread_local Block *blocks;
static _Thread_local jmp_buf *escape;

static void release(Block *until) {
  while (blocks != until) { Block *next = blocks->next; free(blocks); blocks = next; }
}
#ifdef AVX2
#define ENTRY(name) name##_avx2
#else
#define ENTRY(name) name
EXPORT void fairveil_release(Block *first) {
  while (first) { Block *next = first->next; free(first); first = next; }
}
EXPORT int fairveil_avx2(void) {
#ifdef HAS_AVX2  /* by the instruction: not every compiler's library has __builtin_cpu_supports */
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return 0;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  if ((a & 6) != 6) return 0;  /* the system does not save the registers */
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 5 & 1);
#else
  return 0;
#endif
}
#endif
static void *room(int64_t items, int64_t size, int zeroed) {
  if (items < 0) longjmp(*escape, 2);
  if (items > (INT64_MAX - (int64_t)sizeof(Block)) / size) longjmp(*escape, 1);
  size_t bytes = sizeof(Block) + (size_t)(items * size);
  Block *block = zeroed ? calloc(1, bytes) : malloc(bytes);
  if (!block) longjmp(*escape, 1);
  block->next = blocks;
  blocks = block;
  return block + 1;
}
static inline int64_t floored(int64_t a, int64_t b) {
  int64_t q = b ? a / b : 0;
  return q - (b && (a % b != 0) && ((a < 0) != (b < 0)));
}
static inline int64_t modulo(int64_t a, int64_t b) {
  int64_t r = b ? a % b : 0;
  return r && ((r < 0) != (b < 0)) ? r + b : r;
}
static inline double magnitude_f8(double a) { return fabs(a); }
static inline int64_t magnitude_i8(int64_t a) { return a < 0 ? -a : a; }
""" + "".join(
    f"static inline {c} least_{kind}({c} a, {c} b) {{ return b < a ? b : a; }}\n"
    f"static inline {c} most_{kind}({c} a, {c} b) {{ return b > a ? b : a; }}\n"
    for kind, c in C_TYPES.items()
)


def definition(kind: Any) -> str:
    """A type in C, with what can be done to it."""
    if isinstance(kind, Bundle) and kind.kind == "tuple":
        return f"typedef struct {{ {' '.join(f'{c_type(part)} {name};' for name, part in kind.fields)} }} {kind};"
    if isinstance(kind, Bundle):
        item = c_type(kind.fields[0][1])
        return (
            f"typedef struct {{ {item} *p; int64_t n[1], room; }} {kind};\n"
            f"static inline void push_{kind}({kind} *x, {item} value) {{\n  if (x->n[0] == x->room) {{\n"
            f"    x->room = 2 * x->room + 16;\n    {item} *wider = room(x->room, sizeof({item}), 0);\n"
            f"    if (x->n[0]) memcpy(wider, x->p, x->n[0] * sizeof({item}));\n    x->p = wider;\n  }}\n"
            f"  x->p[x->n[0]++] = value;\n}}\n"
            f"static inline {item} pop_{kind}({kind} *x) {{ return x->p[--x->n[0]]; }}"
        )
    item, ndim, total = c_type(kind.dtype), kind.ndim, c_type(common(kind.dtype, kind.dtype))
    sizes = ", ".join(f"int64_t n{i}" for i in range(ndim))
    names = ", ".join(f"n{i}" for i in range(ndim))
    own = ", ".join(f"x.n[{i}]" for i in range(ndim))
    stride = " * ".join(["1", *(f"x.n[{i}]" for i in range(1, ndim))])
    each = f"for (int64_t i = 0; i < items_{kind}(x); i++)"
    lines = [
        f"typedef struct {{ {item} *p; int64_t n[{ndim}]; }} {kind};",
        f"static inline int64_t items_{kind}({kind} x) {{ return x.n[0] * {stride}; }}",
        f"static inline {kind} make_{kind}({sizes}, int zeroed) {{ {kind} x = {{0, {{{names}}}}}; "
        f"x.p = room(items_{kind}(x), sizeof({item}), zeroed); return x; }}",
        f"static inline {kind} copy_{kind}({kind} x) {{ {kind} y = make_{kind}({own}, 0); "
        f"if (items_{kind}(x)) memcpy(y.p, x.p, items_{kind}(x) * sizeof({item})); return y; }}",
        f"static inline {kind} fill_{kind}({kind} x, {item} v) {{ {each} x.p[i] = v; return x; }}",
        f"static inline {kind} count_{kind}({kind} x) {{ {each} x.p[i] = ({item})i; return x; }}",
        f"static inline {kind} slice_{kind}({kind} x, int64_t low, int64_t high) {{ if (high > x.n[0]) high = x.n[0]; "
        f"if (low > high) low = high; x.p += low * {stride}; x.n[0] = high - low; return x; }}",
        f"static inline {total} sum_{kind}({kind} x) {{ {total} s = 0; {each} s += x.p[i]; return s; }}",
        f"static inline {item} max_{kind}({kind} x) {{ {item} s = x.p[0]; {each} "
        f"s = x.p[i] > s ? x.p[i] : s; return s; }}",
        f"static inline uint8_t any_{kind}({kind} x) {{ {each} if (x.p[i]) return 1; return 0; }}",
    ]
    if ndim > 1:
        inner = Array(kind.dtype, ndim - 1)
        rest = " * ".join(f"x.n[{i}]" for i in range(1, ndim))
        lines.append(
            f"static inline {inner} row_{kind}({kind} x, int64_t i) {{ {inner} y = {{x.p + i * {rest}, "
            f"{{{', '.join(f'x.n[{i}]' for i in range(1, ndim))}}}}}; return y; }}"
        )
    return "\n".join(lines)
