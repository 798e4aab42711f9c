"""What was compiled from other sources is thrown away, because records of another name could not be read."""

from __future__ import annotations

from pathlib import Path

from fairveil.counting.kernels.compiling import forget_stale


def test_a_changed_source_lets_go_of_all_that_was_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "__pycache__"
    assert not forget_stale(tmp_path, cache)
    cache.mkdir()
    (tmp_path / "one_kernels.py").write_text("x = 1")
    (cache / "one_kernels.f-1.nbi").write_text("index")
    (cache / "one_kernels.cpython.pyc").write_text("bytecode")
    assert forget_stale(tmp_path, cache)
    assert {file.name for file in cache.iterdir()} == {"one_kernels.cpython.pyc", "kernels.stamp"}
    (cache / "one_kernels.f-1.nbi").write_text("index")
    assert not forget_stale(tmp_path, cache) and (cache / "one_kernels.f-1.nbi").exists()
    (tmp_path / "one_kernels.py").write_text("x = 1234")
    assert forget_stale(tmp_path, cache) and not (cache / "one_kernels.f-1.nbi").exists()
