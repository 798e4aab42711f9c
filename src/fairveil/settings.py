"""Settings: the fields of a part or of a request, each declared once, with its range, choices, sentence and spellings.

>>> from dataclasses import dataclass, field
>>> @dataclass(frozen=True)
... class Sampling:
...     rows: int = field(metadata=required("how many rows are drawn", min=1, cli="--rows"))
...     share: float = setting(0.5, "share of the rows in the test set", min=0, below=1)
>>> [(s.name, s.type, s.required, s.default, s.minimum, s.says) for s in settings_of(Sampling)][0]
('rows', 'integer', True, None, 1, 'how many rows are drawn')
>>> read(Sampling, {"rows": 10}, "sampling")
{'rows': 10}
>>> read(Sampling, {"rows": 0}, "sampling")
Traceback (most recent call last):
fairveil.errors.BadInput: sampling: rows must be an integer of at least 1, not 0

Type and default are those of the field; `setting` and `required` add what they do not say, as metadata, so that type
checkers and `inspect.signature` see an ordinary dataclass. Plans, command line, studio and reference pages read
`settings_of`. A field without metadata is a setting, too. `read` checks what a file gives, and `check`, called by
`__post_init__`, what Python code gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from fairveil import shapes
from fairveil.errors import BadInput, UnknownPart, refuse, suggest
from fairveil.messages import option
from fairveil.shapes import Shape, anything, expected_by, need_section, wrong

T = TypeVar("T")
Type = Literal["integer", "number", "boolean", "text", "names", "numbers", "choice", "other"]
_PLAIN: Mapping[Any, Type] = {int: "integer", float: "number", bool: "boolean", str: "text"}


@dataclass(frozen=True)
class Setting:
    """One setting, as forms, command line and reference need it.

    `minimum` and `maximum` are included in the range, `above` and `below` excluded. `takes` says in words which values
    are accepted, and `check(value, where)` returns an accepted value or raises BadInput.
    """

    says: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    infinite: bool = False
    options: tuple[str, ...] | None = None
    shape: Shape | None = None
    cli: str = ""
    metavar: str = ""
    formerly: str = ""
    name: str = ""
    type: Type = "other"
    required: bool = False
    default: Any = None
    check: Shape = field(default=anything, compare=False)

    @property
    def takes(self) -> str:
        return expected_by(self.check)


def setting(default: T, says: str = "", *, compare: bool = True, **declared: Any) -> T:
    """A dataclass field that is a setting with a default; `declared` as in `required`.

    Each instance gets its own copy of a dictionary. Type checkers see the default itself.
    """
    given: dict[str, Any] = {"default_factory": default.copy} if isinstance(default, dict) else {"default": default}
    declaring: T = field(**given, compare=compare, metadata=required(says, **declared))
    return declaring


def required(
    says: str = "",
    *,
    min: float | None = None,
    max: float | None = None,
    options: Sequence[str] | None = None,
    **declared: Any,
) -> dict[str, Any]:
    """The metadata of a dataclass field that is a setting without a default.

    says       one phrase on what it means
    min, max   range of a number, or of each number in a list; both ends are accepted
    above, below  the same with ends that are not accepted
    infinite   infinity is accepted
    options    the texts to choose from, where the type is not a Literal
    shape      a check of its own, where the type does not tell enough
    cli        the option that sets it on the command line, such as `--min-support`; `metavar` as in Typer
    formerly   its name in earlier versions: files may still use it, and it is written under its own name
    """
    choices = None if options is None else tuple(options)
    return {"setting": Setting(says, min, max, options=choices, **declared)}


@cache
def settings_of(part: type) -> tuple[Setting, ...]:
    """The settings of a guard, method, hierarchy or any other dataclass, in the order of its fields."""
    try:
        hints = get_type_hints(part)
    except NameError:  # types that only another package's module knows
        hints = {}
    return tuple(_setting(f, hints.get(f.name, Any)) for f in fields(part))


def changed(part: Any, settings: Sequence[Setting] | None = None) -> dict[str, Any]:
    """The settings of an instance, or some of them, that differ from their default; tuples are lists."""
    own: type = type(part)
    values = [(s, _plain_list(getattr(part, s.name))) for s in settings or settings_of(own)]
    return {s.name: value for s, value in values if value != s.default}


def sentence_of(part: Any) -> str:
    """What a part does, in one sentence for the owner of the data: `says`, or the first line of its docstring."""
    return getattr(part, "says", "") or (part.__doc__ or "").split("\n")[0].replace("`", "")


def _setting(of: Field[Any], hint: Any) -> Setting:
    declared: Setting = of.metadata.get("setting", Setting())
    required = of.default is MISSING and of.default_factory is MISSING
    default = None if required else of.default if of.default_factory is MISSING else of.default_factory()
    type_, options = _type_of(hint)
    options = declared.options or options
    return replace(
        declared,
        options=options,
        name=of.name,
        type="choice" if options and type_ in ("text", "choice") else type_,
        required=required,
        default=list(default) if isinstance(default, tuple) else default,
        check=declared.shape or shape_of(hint, declared),
    )


def _type_of(hint: Any) -> tuple[Type, tuple[str, ...] | None]:
    """How a form asks for values of a type, and the choices that the type names."""
    if hint in _PLAIN:
        return _PLAIN[hint], None
    origin, arguments = get_origin(hint), [argument for argument in get_args(hint) if argument is not NoneType]
    if origin is Literal:
        return "choice", tuple(str(argument) for argument in arguments)
    if origin in (Union, UnionType) and len(arguments) == 1:
        return _type_of(arguments[0])
    if origin in (tuple, list, Sequence) and arguments:
        return ("names" if arguments[0] is str else "numbers" if arguments[0] in _PLAIN else "other"), None
    return "other", None


def shape_of(hint: Any, declared: Setting = Setting()) -> Shape:
    """The shape of the values of a type, within the declared range."""
    if hint is int:
        return shapes.integer(*(None if end is None else int(end) for end in (declared.minimum, declared.maximum)))
    if hint is float:
        ends = declared.minimum, declared.maximum
        return shapes.number(*ends, above=declared.above, below=declared.below, infinite=declared.infinite)
    if hint is str:
        return shapes.choice(*declared.options) if declared.options else shapes.text
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return shapes.choice(*arguments)
    if origin in (Union, UnionType):
        options = [shape_of(argument, declared) for argument in arguments if argument is not NoneType]
        inner = options[0] if len(options) == 1 else shapes.either(*options)
        return shapes.optional(inner) if NoneType in arguments else inner
    if origin in (tuple, list, Sequence):
        inner = shape_of(arguments[0], declared)
        return _names(inner) if arguments[0] is str else shapes.many(inner)
    if origin in (dict, Mapping):
        return shapes.each(shape_of(arguments[1], declared))
    return shapes.flag if hint is bool else shapes.each(anything) if is_typeddict(hint) else anything


def _names(inner: Shape) -> Shape:
    """A list of names; a single name is a list of one."""

    def check(value: Any, where: str) -> Any:
        if not isinstance(value, str | list | tuple):
            raise wrong(where, "a name or a list of names", value)
        return shapes.many(inner)([value] if isinstance(value, str) else value, where)

    return shapes.named(check, "a name or a list of names")


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def current_names(settings: Sequence[Setting], spec: Mapping[str, Any], what: str) -> dict[str, Any]:
    """A section of a file with each setting under its own name; raises BadInput if it is also there under the earlier.

    >>> current_names([Setting(name="max_rules", formerly="most")], {"most": 5, "join": True}, "roll-up")
    {'max_rules': 5, 'join': True}
    """
    names = {s.formerly: s.name for s in settings if s.formerly}
    refuse([
        f"{what} sets {name!r} twice: {earlier!r} is the earlier name of the same setting, so leave it out"
        for earlier, name in names.items() if earlier in spec and name in spec
    ])  # fmt: skip
    return {names.get(key, key): value for key, value in spec.items()}


def read(part: type, spec: Any, what: str) -> dict[str, Any]:
    """The settings in a section of a file, checked; unknown, missing and wrong ones are all named at once."""
    need_section(spec, what)
    spec = current_names(settings_of(part), spec, what)
    known = {setting.name: setting for setting in settings_of(part)}
    problems = [suggest(key, known, f"setting of {what}") for key in spec if key not in known]
    problems += [f"{what} needs {name!r}" for name, s in known.items() if s.required and name not in spec]
    refuse(problems)
    return _checked(spec.get, [known[key] for key in spec], what)


def check(part: Any, what: str) -> None:
    """Check the fields of an instance as `read` does; lists become tuples, numbers of NumPy those of Python."""

    def plain(name: str) -> Any:
        value = getattr(part, name)
        return value.tolist() if type(value).__module__ == "numpy" else value

    own: type = type(part)
    for name, value in _checked(plain, settings_of(own), what).items():
        if value is not getattr(part, name):
            object.__setattr__(part, name, value)


def _checked(get: Callable[[str], Any], settings: Sequence[Setting], what: str) -> dict[str, Any]:
    values, problems = {}, []
    for setting in settings:
        try:
            values[setting.name] = _frozen(setting.check(get(setting.name), f"{what}: {option(setting.name)}"))
        except UnknownPart:  # no mistake in the file: a package is missing
            raise
        except BadInput as problem:
            problems.append(str(problem))
    refuse(problems)
    return values


class Part:
    """A guard, method or hierarchy: a frozen dataclass whose fields are its settings, registered by its `kind`.

    `title` is its name for readers, the kind in words unless given. `says` is one sentence for the owner of the data;
    the first line of the docstring stands in for it.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    says: ClassVar[str] = ""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "title" not in vars(cls):
            cls.title = cls.kind.replace("-", " ")

    def __post_init__(self) -> None:
        check(self, self.label())

    @classmethod
    def label(cls) -> str:
        """How messages name it."""
        return cls.kind

    def to_dict(self) -> dict[str, Any]:
        """Its kind and settings, as plain data; settings that are None are left out."""
        values = {f.name: _plain_list(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]
        return {"kind": self.kind, **{name: value for name, value in values.items() if value is not None}}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Self:
        """The part with these settings, as `to_dict` returns them or as a plan states them."""
        return cls(**read(cls, spec, cls.label()))


def _plain_list(value: Any) -> Any:
    return [_plain_list(entry) for entry in value] if isinstance(value, tuple) else value
