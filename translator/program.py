"""All kernels of a package: what their files define, the translated functions, and the entries for Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from translator.c_code import PRELUDE, definition
from translator.statements import Translation
from translator.types import DTYPES, SCALARS, Array, Bundle, Constant, Function, c_type, literal, pair

ARRAY_NAME = re.compile(r"(?:(U?Int|Float)(8|16|32|64)|Bool)s([234]?)")


@dataclass
class Module:
    """A file of kernels: its functions, named tuples and constants, its own and imported ones."""

    path: Path
    names: dict[str, Any]


class Program:
    """All kernels of a package, as C."""

    def __init__(self, package: Path, files: list[Path]) -> None:
        self.package = package
        self.modules: dict[str, Module] = {}
        self.files = {".".join(file.relative_to(package.parent).with_suffix("").parts): file for file in files}
        self.types: dict[str, Any] = {}
        self.translated: dict[tuple[Function, tuple[Any, ...]], Translation] = {}
        self.code: list[str] = []
        for name in self.files:
            self.module(name)

    def module(self, name: str) -> Module:
        if name not in self.modules:
            module = self.modules[name] = Module(self.files[name], {})
            for node in ast.parse(module.path.read_text(encoding="utf-8")).body:
                self._define(name, module, node)
        return self.modules[name]

    def _define(self, name: str, module: Module, node: ast.stmt) -> None:
        if isinstance(node, ast.ImportFrom) and node.module in self.files:
            for alias in node.names:
                if alias.name in self.module(node.module).names:
                    module.names[alias.asname or alias.name] = self.module(node.module).names[alias.name]
        elif isinstance(node, ast.FunctionDef) and node.decorator_list:
            role = node.decorator_list[0]
            if isinstance(role, ast.Name) and role.id in ("kernel", "helper", "inlined"):
                module.names[node.name] = Function(name, node, role.id)
        elif isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
            fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
            kinds = [(ast.unparse(part.target), self.annotated(module, part.annotation)) for part in fields]
            module.names[node.name] = Bundle("tuple", node.name, tuple(kinds))
        elif isinstance(node, ast.Assign):
            self._define_constants(module, node)

    def _define_constants(self, module: Module, node: ast.Assign) -> None:
        typed = {short: lambda value, kind=kind: Constant(kind, value) for short, kind in DTYPES.items()}
        limits = SimpleNamespace(**typed, iinfo=lambda kind: SimpleNamespace(max=2**63 - 1))
        known = {name: part.value for name, part in module.names.items() if isinstance(part, Constant)}
        try:
            value = eval(compile(ast.Expression(node.value), str(module.path), "eval"), {"np": limits, **known})
        except (NameError, AttributeError, TypeError):
            return  # not a number: of no use to kernels
        for target in node.targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = value if isinstance(target, ast.Tuple) else [value]
            for name, one in zip(names, values, strict=True):
                if isinstance(one, int | float):
                    one = Constant("f8" if isinstance(one, float) else "i8", one)
                if isinstance(name, ast.Name) and isinstance(one, Constant):
                    module.names[name.id] = one

    def annotated(self, module: Module, node: ast.expr) -> Any:
        """The type that an annotation names."""
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "tuple":
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self.known(pair(*(self.annotated(module, part) for part in parts)))
        if isinstance(node, ast.Name):
            found = ARRAY_NAME.fullmatch(node.id)
            if found:
                base, bits, ndim = found.groups()
                kind = DTYPES[f"{base.lower()}{bits}"] if base else "b1"
                return self.known(Array(kind, int(ndim or 1)))
            if node.id in SCALARS:
                return SCALARS[node.id]
            if isinstance(module.names.get(node.id), Bundle):
                return self.known(module.names[node.id])
        raise TypeError(f"{module.path}:{node.lineno}: kernels do not know the type {ast.unparse(node)}")

    def known(self, kind: Any) -> Any:
        """Note a type, so that it is defined before it is used."""
        if isinstance(kind, Bundle):
            for _, part in kind.fields:
                self.known(part)
        if isinstance(kind, Array) and kind.ndim > 1:
            self.known(Array(kind.dtype, kind.ndim - 1))
        if isinstance(kind, Array | Bundle) and self.types.setdefault(str(kind), kind) != kind:
            raise TypeError(f"two named tuples are called {kind}")
        return kind

    def translate(self, function: Function, kinds: tuple[Any, ...]) -> Translation:
        key = function, kinds
        if key not in self.translated:
            translation = Translation(self, function, kinds, f"f{len(self.translated)}_{function.node.name}")
            self.translated[key] = translation
            translation.run()
        return self.translated[key]

    def kernels(self) -> Iterator[tuple[str, Function]]:
        for name, module in self.modules.items():
            for function in module.names.values():
                if isinstance(function, Function) and function.role == "kernel" and function.module == name:
                    yield name, function

    def entry(self, name: str, function: Function, kinds: tuple[Any, ...]) -> None:
        """Write what Python calls: it takes its arguments from, and writes its results into, a list of 64-bit slots."""
        translation = self.translate(function, kinds)
        slot = iter(range(10**6))
        arguments = [self._unpacked(kind, slot) for kind in kinds]
        slot = iter(range(1, 10**6))
        call = f"{translation.name}({', '.join(arguments)})"
        body = [f"{call};"] if translation.returns is None else [
            f"{c_type(translation.returns)} r = {call};", *self._packed("r", translation.returns, slot)
        ]  # fmt: skip
        self.code.append(
            f"EXPORT int ENTRY({name})(const Slot *in, Slot *out) {{\n  jmp_buf here, *before = escape;\n"
            "  Block *kept = blocks;\n  int failure;\n  blocks = 0;\n  escape = &here;\n"
            "  failure = setjmp(here);\n  if (!failure) {\n    " + "\n    ".join(body) + "\n  }\n"
            "  out[0].p = blocks;\n  blocks = kept;\n  escape = before;\n  return failure;\n}\n"
        )

    def _unpacked(self, kind: Any, slot: Iterator[int]) -> str:
        if isinstance(kind, str):
            return f"(({c_type(kind)})in[{next(slot)}].{'d' if kind == 'f8' else 'i'})"
        if isinstance(kind, Array):
            data = f"({c_type(kind.dtype)} *)in[{next(slot)}].p"
            return f"(({kind}){{{data}, {{{', '.join(f'in[{next(slot)}].i' for _ in range(kind.ndim))}}}}})"
        return literal(kind, [self._unpacked(part, slot) for _, part in kind.fields])

    def _packed(self, code: str, kind: Any, slot: Iterator[int]) -> list[str]:
        if isinstance(kind, str):
            return [f"out[{next(slot)}].{'d' if kind == 'f8' else 'i'} = {code};"]
        if isinstance(kind, Array):
            return [
                f"out[{next(slot)}].p = {code}.p;",
                *(f"out[{next(slot)}].i = {code}.n[{i}];" for i in range(kind.ndim)),
            ]
        return [line for name, part in kind.fields for line in self._packed(f"{code}.{name}", part, slot)]

    def source(self, fingerprint: str = "") -> str:
        """The C file with all kernels."""
        for module, function in self.kernels():
            scope = self.modules[module]
            for argument in function.node.args.args:
                if argument.annotation is None:
                    raise TypeError(f"{scope.path}:{argument.lineno}: the parameter {argument.arg} needs a type")
            kinds = tuple(self.annotated(scope, argument.annotation) for argument in function.node.args.args)  # type: ignore[arg-type]
            wanted = self.annotated(scope, function.node.returns) if function.node.returns else None
            self.entry(f"{module.replace('.', '_')}_{function.node.name}", function, kinds)
            returns = self.translate(function, kinds).returns
            if c_type(returns) != c_type(wanted):
                raise TypeError(f"{scope.path}:{function.node.lineno}: {function.node.name} returns {returns}")
        return self.text(fingerprint)

    def text(self, fingerprint: str) -> str:
        types = [definition(kind) for kind in self.types.values()]
        mark = f'#ifndef AVX2\nEXPORT const char fairveil_sources[] = "{fingerprint}";\n#endif\n'
        return PRELUDE + "\n".join(types) + "\n" + "\n".join(self.code) + mark
