from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from tokenizers_built import write

from corpusgate.pipeline.tokenize import Loaded, load

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Loaded]:
    """A built tokenizer by its name, loaded once."""
    folder = tmp_path_factory.mktemp("tokenizers")
    return cache(lambda name: load(write(name, folder)))
