"""Functions and statements of kernels in C."""

from __future__ import annotations

import ast
import re
from typing import Any

from translator.expressions import OPERATORS, Expressions
from translator.types import Array, Bundle, Untyped, c_type, cast, joined


class Translation(Expressions):
    """One function with one combination of parameter types: first its types are found, then it is written."""

    def run(self) -> None:
        node = self.function.node
        parameters = [argument.arg for argument in node.args.args]
        if len(parameters) != len(self.kinds):
            self.refuse(node, f"{node.name} takes {len(parameters)} arguments, not {len(self.kinds)}")
        self.variables = dict(zip(parameters, self.kinds, strict=True))
        while True:  # until nothing new is learned about the types
            before = dict(self.variables), self.returns
            self.lines = []
            self.body(node.body)
            if before == (self.variables, self.returns):
                break
        self.finished = True
        self.lines, self.temporaries = [], 0
        self.body(node.body)
        self.write(parameters)

    def write(self, parameters: list[str]) -> None:
        self.program.known(self.returns)
        inline = "__attribute__((always_inline)) " if self.function.role == "inlined" else ""
        arguments = ", ".join(f"{c_type(self.variables[name])} v_{name}" for name in parameters)
        head = f"static inline {inline}{c_type(self.returns)} {self.name}({arguments or 'void'}) {{"
        local = [
            f"{c_type(kind)} v_{name} = {'0' if isinstance(kind, str) else '{0}'};"
            for name, kind in self.variables.items() if name not in parameters
        ]  # fmt: skip
        if self.releases:
            local.append("Block *mark = blocks;")
            self.lines.append("release(mark);")
        last = self.returns is not None and not isinstance(self.function.node.body[-1], ast.Return | ast.While)
        ending = ["return 0;"] if last and isinstance(self.returns, str) else []
        self.program.code.append("\n  ".join([head, *local, *self.lines, *ending]) + "\n}\n")

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            try:
                getattr(self, f"on_{type(statement).__name__}", self.on_other)(statement)
            except Untyped as unknown:
                if self.finished:
                    self.refuse(statement, f"{unknown} has no type")
            except TypeError as reason:
                if ".py:" in str(reason):
                    raise
                self.refuse(statement, str(reason))

    def on_Pass(self, node: ast.Pass) -> None:
        pass

    def on_Break(self, node: ast.Break) -> None:
        self.lines.append("break;")

    def on_Continue(self, node: ast.Continue) -> None:
        self.lines.append("continue;")

    def on_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.lines.append("{ release(mark); return; }" if self.releases else "return;")
            return
        code, kind = self.value(node.value)
        self.returns = joined(self.returns, kind)
        code = cast(code, kind, self.returns)
        if self.releases:
            code = f"{c_type(self.returns)} result = {code}; release(mark); return result;"
            self.lines.append(f"{{ {code} }}")
        else:
            self.lines.append(f"return {code};")

    def on_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.lines.append(f"{self.value(node.value)[0]};")

    def on_If(self, node: ast.If) -> None:
        self.lines.append(f"if ({self.value(node.test)[0]}) {{")
        self.body(node.body)
        if node.orelse:
            self.lines.append("} else {")
            self.body(node.orelse)
        self.lines.append("}")

    def on_While(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "a loop has no else")
        self.lines.append(f"while ({self.value(node.test)[0]}) {{")
        self.body(node.body)
        self.lines.append("}")

    def on_For(self, node: ast.For) -> None:
        if node.orelse:
            self.refuse(node, "a loop has no else")
        count = self.temporary()
        if self._is_range(node):
            bounds = [self.value(argument) for argument in node.iter.args]  # type: ignore[attr-defined]
            if any(kind == "f8" for _, kind in bounds):
                self.refuse(node, "range needs integers")
            codes = [cast(code, kind, "i8") for code, kind in bounds]
            start, stop, step = (["INT64_C(0)", codes[0], "INT64_C(1)"] if len(codes) == 1 else [*codes, "INT64_C(1)"])[
                :3
            ]
            up, down = f"{count} < {count}_end", f"{count} > {count}_end"
            constant = re.fullmatch(r"(\(-)?INT64_C\([1-9]\d*\)\)?", step)
            goes_on = f"{count}_step > 0 ? {up} : {count}_step < 0 && {down}"
            if constant:
                goes_on = down if constant[1] else up
            self.lines.append(
                f"for (int64_t {count} = {start}, {count}_end = {stop}, {count}_step = {step}; {goes_on}; "
                f"{count} += {count}_step) {{"
            )
            self.store(node.target, count, "i8")
        else:
            code, kind = self.value(node.iter)
            item = Array(kind.dtype, kind.ndim - 1) if isinstance(kind, Array) and kind.ndim > 1 else None
            element = kind.fields[0][1] if isinstance(kind, Bundle) else kind.dtype if item is None else item
            self.lines.append(
                f"{{ {c_type(kind)} {count}_all = {code}; "
                f"for (int64_t {count} = 0; {count} < {count}_all.n[0]; {count}++) {{"
            )
            at = f"row_{kind}({count}_all, {count})" if item else f"{count}_all.p[{count}]"
            self.store(node.target, at, element)
        self.body(node.body)
        self.lines.append("}" if self._is_range(node) else "}}")

    @staticmethod
    def _is_range(node: ast.For) -> bool:
        return isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"

    def on_AnnAssign(self, node: ast.AnnAssign) -> None:
        assert node.value is not None and isinstance(node.target, ast.Name)
        kind = self.program.annotated(self.program.modules[self.function.module], node.annotation)
        code, given = self.value(node.value)
        self.store(node.target, cast(code, given, kind), kind)

    def on_Assign(self, node: ast.Assign) -> None:
        code, kind = self.value(node.value)
        if len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
            self.store(node.targets[0], code, kind)
            return
        if (
            len(node.targets) == 1
            and isinstance(node.value, ast.Tuple)
            and self._independent(node.targets[0], node.value)
        ):
            for target, value in zip(node.targets[0].elts, node.value.elts, strict=True):  # type: ignore[attr-defined]
                self.store(target, *self.value(value))
            return
        once = self.temporary()
        self.program.known(kind)
        self.lines.append(f"{{ {c_type(kind)} {once} = {code};")
        for target in reversed(node.targets):
            self.store(target, once, kind)
        self.lines.append("}")

    def _independent(self, targets: ast.expr, values: ast.Tuple) -> bool:
        """Whether no value reads what an earlier target of the same statement writes."""
        written: set[str] = set()
        stored = False  # an element of an array: any other array may be the same one
        for target, value in zip(targets.elts, values.elts, strict=True):  # type: ignore[attr-defined]
            read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            if isinstance(target, ast.Subscript):
                read |= {part.id for part in ast.walk(target.slice) if isinstance(part, ast.Name)}
            arrays = [*ast.walk(value), *(ast.walk(target.slice) if isinstance(target, ast.Subscript) else ())]
            if read & written or (stored and any(isinstance(part, ast.Subscript | ast.Call) for part in arrays)):
                return False
            stored = stored or isinstance(target, ast.Subscript)
            written |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        return True

    def store(self, target: ast.expr, code: str, kind: Any) -> None:
        if isinstance(target, ast.Tuple):
            if isinstance(kind, Array):
                self.refuse(target, "an array cannot be unpacked")
            for part, (name, one) in zip(target.elts, kind.fields, strict=True):
                self.store(part, f"{code}.{name}", one)
        elif isinstance(target, ast.Name):
            wanted = self.variables[target.id] = joined(self.variables.get(target.id), kind)
            self.program.known(wanted)
            self.lines.append(f"v_{target.id} = {cast(code, kind, wanted)};")
        elif isinstance(target, ast.Subscript):
            place, wanted = self.value(target)
            if not isinstance(wanted, str) or not isinstance(kind, str):
                self.refuse(target, "only single elements can be assigned")
            if kind == "f8" and wanted != "f8":
                self.refuse(target, "a float is assigned to an array of integers")
            self.lines.append(f"{place} = {cast(code, kind, wanted)};")
        else:
            self.refuse(target, "only variables and elements of arrays can be assigned")

    def on_AugAssign(self, node: ast.AugAssign) -> None:
        load = ast.parse(ast.unparse(node.target), mode="eval").body
        place, kind = self.value(load)
        if isinstance(kind, Bundle) and kind.kind == "list" and isinstance(node.value, ast.List):
            for element in node.value.elts:
                self.push(place, kind, element)
            return
        code, given = self.arithmetic(node, node.op, (place, kind), self.value(node.value))
        operator = OPERATORS.get(type(node.op))
        if isinstance(node.target, ast.Name):
            self.store(node.target, code, given)
        elif given == "f8" and kind != "f8":
            self.refuse(node, "a float is added to an array of integers")
        elif operator:
            right, right_kind = self.value(node.value)
            self.lines.append(f"{place} {operator}= {cast(right, right_kind, kind if kind == 'f8' else right_kind)};")
        else:
            self.lines.append(f"{place} = {cast(code, given, kind)};")
