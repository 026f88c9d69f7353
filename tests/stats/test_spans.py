import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from dispatchmark.stats.spans import Spans, Table, middle, tabulate


def table(*spans: tuple[int, int, float]) -> Table:
    n, rep, span_us = zip(*spans, strict=True)
    return tabulate(np.array(n, np.int64), np.array(rep, np.int64), np.array(span_us, np.float64))


def test_rounds_are_rows_and_rungs_are_columns() -> None:
    found = table((4, 0, 40.0), (1, 0, 10.0), (1, 1, 11.0), (4, 1, 41.0))
    assert_array_equal(found.n, [1, 4])
    assert_array_equal(found.span_us, [[10, 40], [11, 41]])
    assert found.rounds == 2


def test_a_rung_that_a_round_lacks_is_nan() -> None:
    assert_array_equal(table((1, 0, 10.0), (1, 3, 11.0), (4, 3, 41.0)).span_us, [[10, np.nan], [11, 41]])


def test_a_second_span_of_a_rung_makes_a_round_of_its_own() -> None:
    found = table((1, 0, 10.0), (4, 0, 40.0), (1, 0, 12.0), (1, 1, 11.0), (4, 1, 41.0))
    assert_array_equal(found.span_us, [[10, 40], [12, np.nan], [11, 41]])


def test_no_spans_make_no_table() -> None:
    nothing = np.empty(0)
    found = tabulate(nothing.astype(np.int64), nothing.astype(np.int64), nothing)
    assert found.rounds == 0
    assert len(found.n) == 0


@given(st.randoms(), st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4), st.floats(0, 1e6)), min_size=1))
def test_the_order_of_spans_does_not_matter(random, spans: list[tuple[int, int, float]]) -> None:
    mixed = spans.copy()
    random.shuffle(mixed)
    assert_array_equal(table(*spans).span_us, table(*mixed).span_us)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4), st.floats(0, 1e6)), min_size=1))
def test_every_span_is_in_the_table_once(spans: list[tuple[int, int, float]]) -> None:
    found = table(*spans)
    placed = [(n, span) for column, n in enumerate(found.n) for span in found.span_us[:, column] if not np.isnan(span)]
    assert sorted(placed) == sorted((float(n), span) for n, _, span in spans)


def test_a_mask_chooses_spans() -> None:
    one = np.array([1, 2, 3])
    spans = Spans(one, one, one * 1.0, one * 2.0, one * 3.0)
    kept = spans.only(one > 1)
    assert_array_equal(kept.n, [2, 3])
    assert kept.gpu_us is not None
    assert_array_equal(kept.gpu_us, [6, 9])


@pytest.mark.parametrize("rounds", [1, 2, 7, 8])
def test_the_middle_is_the_median_of_the_spans_that_are_there(rounds: int) -> None:
    rng = np.random.default_rng(rounds)
    spans = rng.random((5, rounds, 4))
    spans[rng.random(spans.shape) < 0.2] = np.nan
    spans[0] = 1.0
    missed = np.isnan(spans).all(axis=1)
    assert_array_equal(np.isnan(middle(spans)), missed)
    for index in zip(*np.nonzero(~missed), strict=True):
        assert middle(spans)[index] == np.nanmedian(spans[index[0], :, index[1]])
