"""The rooms in docs/pictures/architecture.svg: `python -m docs.making.rooms` redraws the lower half of the picture."""

from __future__ import annotations

from pathlib import Path

PICTURE = Path(__file__).parent.parent / "pictures" / "architecture.svg"
SHELVES: dict[str, tuple[str, ...]] = {
    "foundations": ("toml", "messages", "errors", "markup", "display", "progress_bars"),
    "": ("interrupts", "progress", "registry", "shapes", "settings"),
    "input": ("data", "datasets"),
    "counting and judging": ("counting", "learning", "measures", "guards", "recipes"),
    "where the data is": ("engines", "published", "choice"),
    "search and examination": ("methods", "evaluation", "attacks", "reporting"),
    "use cases and interfaces": ("release", "frontier", "run", "sklearn", "studio", "cli"),
}
"""The rooms by shelf, in the order of imports."""
HEAD = "The rooms, in the order of imports: a room uses only those above it"
TOP, STEP, LEFT, GAP, LETTER = 286, 29, 230, 8, 7.2


def rooms() -> list[str]:
    """The lines of the lower half."""
    lines = [f'<text class="head" x="20" y="272">{HEAD}</text>']
    for row, (shelf, names) in enumerate(SHELVES.items()):
        y = TOP + row * STEP
        lines.append(f'<rect class="shelf" x="20" y="{y}" width="860" height="25" rx="5"/>')
        lines.append(f'<text class="soft" x="30" y="{y + 17}" text-anchor="start">{shelf}</text>')
        x: float = LEFT
        for name in names:
            width = round(LETTER * len(name) + 12, 1)
            box = f'<rect class="box" x="{x:g}" y="{y + 3}" width="{width:g}" height="19" rx="5"/>'
            text = f'<text class="room" x="{x + width / 2:g}" y="{y + 17}" text-anchor="middle">{name}</text>'
            lines.append(box + text)
            x = round(x + width + GAP, 1)
    return lines


def drawn(picture: str) -> str:
    """The picture with its lower half redrawn."""
    upper = picture.split('<text class="head" x="20" y="272">', maxsplit=1)[0].splitlines()
    height = TOP + len(SHELVES) * STEP + 10
    size = f'viewBox="0 0 900 {height}" width="900" height="{height}"'
    upper[0] = f'<svg xmlns="http://www.w3.org/2000/svg" class="fv rooms" {size}>'
    return "\n".join([*upper, *rooms(), "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawn(PICTURE.read_text(encoding="utf-8")), encoding="utf-8")
