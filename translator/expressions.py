"""Expressions of kernels in C."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from translator.types import (
    DTYPES,
    SCALARS,
    Array,
    Bundle,
    Constant,
    Function,
    Untyped,
    cast,
    common,
    holds_arrays,
    joined,
    literal,
    pair,
)

if TYPE_CHECKING:
    from translator.program import Program

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
MATH = {"log2": "log2", "sqrt": "sqrt", "isnan": "isnan"}


@dataclass
class Expressions:
    """The expressions of one function: `value` gives the code and the type of each."""

    program: Program
    function: Function
    kinds: tuple[Any, ...]
    name: str
    variables: dict[str, Any] = field(default_factory=dict)
    returns: Any = None
    finished: bool = False
    allocates: bool = False
    lines: list[str] = field(default_factory=list)
    temporaries: int = 0

    @property
    def releases(self) -> bool:
        return self.allocates and not holds_arrays(self.returns)

    def refuse(self, node: ast.AST, why: str) -> None:
        path = self.program.modules[self.function.module].path
        raise TypeError(f"{path}:{getattr(node, 'lineno', 0)}: {why}")

    def on_other(self, node: ast.AST) -> None:
        self.refuse(node, f"kernels cannot contain: {ast.unparse(node)[:60]}")

    def push(self, place: str, kind: Bundle, element: ast.expr) -> None:
        self.allocates = True
        code, given = self.value(element)
        self.lines.append(f"push_{kind}(&{place}, {cast(code, given, kind.fields[0][1])});")

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def value(self, node: ast.expr) -> tuple[str, Any]:
        """The code of an expression and its type."""
        handler = getattr(self, f"on_{type(node).__name__}", None)
        if handler is None:
            self.on_other(node)
        answer: tuple[str, Any] = handler(node)  # type: ignore[misc]
        if answer[1] is not None:
            self.program.known(answer[1])
        return answer

    def on_Constant(self, node: ast.Constant) -> tuple[str, Any]:
        if isinstance(node.value, bool):
            return str(int(node.value)), "b1"
        constant = Constant("f8" if isinstance(node.value, float) else "i8", node.value)  # type: ignore[arg-type]
        return constant.code, constant.kind

    def on_Name(self, node: ast.Name) -> tuple[str, Any]:
        if node.id in self.variables:
            return f"v_{node.id}", self.variables[node.id]
        known = self.program.modules[self.function.module].names.get(node.id)
        if isinstance(known, Constant):
            return known.code, known.kind
        raise Untyped(node.id)

    def on_Attribute(self, node: ast.Attribute) -> tuple[str, Any]:
        if isinstance(node.value, ast.Name) and node.value.id == "np":
            if node.attr in ("inf", "nan"):
                return {"inf": "INFINITY", "nan": "NAN"}[node.attr], "f8"
            self.refuse(node, f"kernels do not know np.{node.attr}")
        code, kind = self.value(node.value)
        if isinstance(kind, Array) and node.attr == "shape":
            shape = pair(*("i8",) * kind.ndim)
            self.program.known(shape)
            return literal(shape, [f"{code}.n[{i}]" for i in range(kind.ndim)]), shape
        part = kind.type_of(node.attr) if isinstance(kind, Bundle) else None
        if part is None:
            self.refuse(node, f"{kind} has no {node.attr}")
        return f"{code}.{node.attr}", part

    def index(self, node: ast.expr, length: str) -> str:
        code, kind = self.value(node)
        if kind == "f8":
            self.refuse(node, "an index must be an integer")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return f"({length} - {node.operand.value!r})"
        return cast(code, kind, "i8")

    def on_Subscript(self, node: ast.Subscript) -> tuple[str, Any]:
        code, kind = self.value(node.value)
        parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(kind, Bundle):
            if len(parts) == 1 and isinstance(parts[0], ast.Constant) and kind.kind == "tuple":
                name, part = kind.fields[parts[0].value]  # type: ignore[index]
                return f"{code}.{name}", part
            self.refuse(node, "a list cannot be indexed")
        if not isinstance(kind, Array) or len(parts) > kind.ndim:
            self.refuse(node, f"{kind} cannot be indexed like this")
        if len(parts) == kind.ndim and not any(isinstance(part, ast.Slice) for part in parts):
            if not re.fullmatch(r"[\w.]+", code):
                for part in parts[:-1]:
                    code, kind = (
                        f"row_{kind}({code}, {self.index(part, f'{code}.n[0]')})",
                        Array(kind.dtype, kind.ndim - 1),
                    )
                return f"({code}).p[{self.index(parts[-1], f'({code}).n[0]')}]", kind.dtype
            at = self.index(parts[0], f"{code}.n[0]")
            for i, part in enumerate(parts[1:], 1):
                at = f"({at}) * {code}.n[{i}] + {self.index(part, f'{code}.n[{i}]')}"
            return f"{code}.p[{at}]", kind.dtype
        for part in parts:
            if isinstance(part, ast.Slice):
                if part is not parts[-1] or part.step is not None:
                    self.refuse(node, "only the last index may be a slice, without a step")
                low = self.index(part.lower, f"{code}.n[0]") if part.lower else "0"
                high = self.index(part.upper, f"{code}.n[0]") if part.upper else f"{code}.n[0]"
                code = f"slice_{kind}({code}, {low}, {high})"
            else:
                code, kind = f"row_{kind}({code}, {self.index(part, f'{code}.n[0]')})", Array(kind.dtype, kind.ndim - 1)
        return code, kind

    def on_Tuple(self, node: ast.Tuple) -> tuple[str, Any]:
        parts = [self.value(element) for element in node.elts]
        kind = pair(*(one for _, one in parts))
        self.program.known(kind)
        return literal(kind, [code for code, _ in parts]), kind

    def on_List(self, node: ast.List) -> tuple[str, Any]:
        self.allocates = True
        kind = Bundle("list", "", (("item", self.value(node.elts[0])[1]),))
        self.program.known(kind)
        once = self.temporary()
        self.lines.append(f"{kind} {once} = {{0}};")
        for element in node.elts:
            self.push(once, kind, element)
        return once, kind

    def on_UnaryOp(self, node: ast.UnaryOp) -> tuple[str, Any]:
        code, kind = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return f"(!({code}))", "b1"
        if kind == "b1" or (kind[0] == "u" and isinstance(node.op, ast.USub)):
            self.refuse(
                node, f"{ast.unparse(node)} means something else in NumPy: write `not`, or cast to a signed integer"
            )
        wide = common(kind, kind)
        sign = {ast.USub: "-", ast.Invert: "~", ast.UAdd: "+"}[type(node.op)]
        return f"({sign}{cast(code, kind, wide)})", wide

    def on_BinOp(self, node: ast.BinOp) -> tuple[str, Any]:
        return self.arithmetic(node, node.op, self.value(node.left), self.value(node.right))

    def arithmetic(self, node: ast.AST, op: ast.operator, left: Any, right: Any) -> tuple[str, Any]:
        (a, one), (b, other) = left, right
        if not isinstance(one, str) or not isinstance(other, str):
            self.refuse(node, "arithmetic is on numbers only, not on arrays")
        if isinstance(op, ast.Pow) and "f8" not in (one, other):
            self.refuse(node, "** is for floats: write a product or a shift")
        if isinstance(op, ast.Add | ast.Sub | ast.Mult) and one == other == "b1":
            self.refuse(node, "two Booleans are added in NumPy as by `or`: cast one of them")
        if isinstance(op, ast.Sub) and one[0] == other[0] == "u" and "u8" not in (one, other):
            self.refuse(node, "the difference of two unsigned integers wraps around: cast one of them")
        if isinstance(op, ast.Div | ast.Pow):
            a, b = cast(a, one, "f8"), cast(b, other, "f8")
            return (f"({a} / {b})" if isinstance(op, ast.Div) else f"pow({a}, {b})"), "f8"
        if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor) and one == other == "b1":
            return f"({a} {OPERATORS[type(op)]} {b})", "b1"
        if isinstance(op, ast.LShift | ast.RShift):
            wide = common(one, one)
            constant = re.fullmatch(r"U?INT64_C\((\d+)\)", b)
            if b.startswith("(-") or (constant and int(constant[1]) > 63):
                self.refuse(node, "a shift is by 0 to 63 bits")
            return f"({cast(a, one, wide)} {OPERATORS[type(op)]} {b})", wide
        wide = self.wide(left, right)
        a, b = cast(a, one, wide), cast(b, other, wide)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            if wide == "f8":
                self.refuse(node, "// and % are for integers")
            if wide == "u8":
                return f"({b} ? {a} {'/' if isinstance(op, ast.FloorDiv) else '%'} {b} : 0)", wide
            return f"{'floored' if isinstance(op, ast.FloorDiv) else 'modulo'}({a}, {b})", wide
        return f"({a} {OPERATORS[type(op)]} {b})", wide

    @staticmethod
    def wide(left: tuple[str, str], right: tuple[str, str]) -> str:
        """The type for arithmetic or comparison; a literal adapts to an unsigned number."""
        for (_, unsigned), (code, _) in ((left, right), (right, left)):
            if unsigned[0] == "u" and re.fullmatch(r"INT64_C\(\d+\)", code):
                return "u8"
        return common(left[1], right[1])

    def on_BoolOp(self, node: ast.BoolOp) -> tuple[str, Any]:
        sign, parts = " && " if isinstance(node.op, ast.And) else " || ", [self.value(part) for part in node.values]
        if any(kind != "b1" for _, kind in parts):
            self.refuse(node, "`and` and `or` are for Booleans: in Python, they give one of their operands")
        return f"({sign.join(f'({code})' for code, _ in parts)})", "b1"

    def on_Compare(self, node: ast.Compare) -> tuple[str, Any]:
        tests, left = [], self.value(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In) and isinstance(right_node, ast.Tuple):
                rights, sign = [self.value(part) for part in right_node.elts], "=="
            elif type(op) in OPERATORS:
                rights, sign = [self.value(right_node)], OPERATORS[type(op)]
            else:
                self.refuse(node, f"kernels cannot compare like this: {ast.unparse(node)}")
            options = []
            for right in rights:
                same = left[1] == right[1]
                wide = left[1] if same else self.wide(left, right)
                options.append(f"{cast(*left, wide)} {sign} {cast(*right, wide)}")
            tests.append(f"({' || '.join(options)})")
            left = rights[-1]
        return f"({' && '.join(tests)})", "b1"

    def on_IfExp(self, node: ast.IfExp) -> tuple[str, Any]:
        (a, one), (b, other) = self.value(node.body), self.value(node.orelse)
        kind = joined(one, other)
        self.program.known(kind)
        return f"({self.value(node.test)[0]} ? {cast(a, one, kind)} : {cast(b, other, kind)})", kind

    def on_Call(self, node: ast.Call) -> tuple[str, Any]:
        if isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "np":
                return self.numpy(node, node.func.attr)
            return self.method(node, node.func)
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        known = self.program.modules[self.function.module].names.get(name)
        arguments = [self.value(argument) for argument in node.args]
        if node.keywords:
            self.refuse(node, "arguments are positional")
        if isinstance(known, Bundle):
            self.program.known(known)
            parts = zip(arguments, known.fields, strict=True)
            return literal(known, [cast(code, kind, wanted) for (code, kind), (_, wanted) in parts]), known
        if isinstance(known, Function):
            called = self.program.translate(known, tuple(kind for _, kind in arguments))
            self.allocates = self.allocates or (called.allocates and not called.releases)
            return f"{called.name}({', '.join(code for code, _ in arguments)})", called.returns
        if name == "stopped":
            return f"(__atomic_load_n({arguments[0][0]}.p, __ATOMIC_RELAXED) != 0)", "b1"
        if name == "len":
            return f"{arguments[0][0]}.n[0]", "i8"
        if name in SCALARS:
            return cast(*arguments[0], SCALARS[name]), SCALARS[name]
        if name == "abs":
            wide = common(arguments[0][1], arguments[0][1])
            return f"magnitude_{wide}({cast(*arguments[0], wide)})", wide
        if name in ("min", "max"):
            code, kind = arguments[0]
            for other, theirs in arguments[1:]:
                wide = kind if kind == theirs else self.wide((code, kind), (other, theirs))
                function = "least" if name == "min" else "most"
                code, kind = f"{function}_{wide}({cast(code, kind, wide)}, {cast(other, theirs, wide)})", wide
            return code, kind
        self.refuse(node, f"kernels do not know {name}")
        raise AssertionError

    def dtype(self, node: ast.Call, position: int) -> str:
        given = [word.value for word in node.keywords if word.arg == "dtype"] + node.args[position : position + 1]
        if not given:
            return "f8"
        named = given[0]
        if not isinstance(named, ast.Attribute):
            self.refuse(node, "dtype must be np.… or that of an array")
        assert isinstance(named, ast.Attribute)
        if isinstance(named.value, ast.Name) and named.value.id == "np":
            return DTYPES[named.attr]
        kind = self.value(named.value)[1]
        return str(kind.dtype)

    def numpy(self, node: ast.Call, name: str) -> tuple[str, Any]:
        if name in DTYPES:
            return cast(*self.value(node.args[0]), DTYPES[name]), DTYPES[name]
        if name in MATH:
            code = f"{MATH[name]}({cast(*self.value(node.args[0]), 'f8')})"
            return (f"({code} != 0)", "b1") if name == "isnan" else (code, "f8")
        self.allocates = True
        if name in ("empty", "zeros", "ones", "full"):
            shape = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
            sizes = ", ".join(cast(*self.value(size), "i8") for size in shape)
            kind = Array(self.dtype(node, 2 if name == "full" else 1), len(shape))
            self.program.known(kind)
            made = f"make_{kind}({sizes}, {int(name == 'zeros')})"
            if name == "ones":
                made = f"fill_{kind}({made}, 1)"
            if name == "full":
                made = f"fill_{kind}({made}, {cast(*self.value(node.args[1]), kind.dtype)})"
            return made, kind
        if name == "arange":
            kind = self.program.known(Array("i8", 1))
            return f"count_{kind}(make_{kind}({cast(*self.value(node.args[0]), 'i8')}, 0))", kind
        if name == "empty_like":
            code, kind = self.value(node.args[0])
            return f"make_{kind}({', '.join(f'{code}.n[{i}]' for i in range(kind.ndim))}, 0)", kind
        self.refuse(node, f"kernels do not know np.{name}")
        raise AssertionError

    def method(self, node: ast.Call, function: ast.Attribute) -> tuple[str, Any]:
        code, kind = self.value(function.value)
        if isinstance(kind, Bundle) and kind.kind == "list":
            if function.attr == "pop" and not node.args:
                return f"pop_{kind}(&{code})", kind.fields[0][1]
            if function.attr == "append":
                self.allocates = True
                return f"push_{kind}(&{code}, {cast(*self.value(node.args[0]), kind.fields[0][1])})", None
        if isinstance(kind, Array) and not node.args:
            if function.attr == "copy":
                self.allocates = True
                return f"copy_{kind}({code})", kind
            if function.attr in ("sum", "max", "any"):
                wide = {"sum": common(kind.dtype, kind.dtype), "max": kind.dtype, "any": "b1"}[function.attr]
                return f"{function.attr}_{kind}({code})", wide
        self.refuse(node, f"kernels cannot call {ast.unparse(function)}")
        raise AssertionError
