"""Labels of points on a map stand where nothing hides them."""

from __future__ import annotations

import numpy as np

from reports.figures.base import label_places

SIZE = (40.0, 20.0)


def test_a_label_stands_where_no_line_runs() -> None:
    """Lines leave the first point upwards and downwards, so that its label stands to the right."""
    points = np.array([(0.0, 0.0), (0.0, 100.0), (0.0, -100.0)])
    found = label_places(points, [(0, 1), (0, 2)], np.full((3, 2), SIZE), 5)
    assert found[0].tolist() == [25, 0]
    assert found[1].tolist() == [0, 115] and found[2].tolist() == [0, -115]


def test_labels_of_neighbours_hide_neither_each_other_nor_points() -> None:
    points = np.array([(0.0, 0.0), (18.0, 0.0), (36.0, 0.0)])
    found = label_places(points, [], np.full((3, 2), SIZE), 5)
    for one in range(3):
        for other in range(3):
            if one != other:
                assert (abs(found[one] - found[other]) >= SIZE).any()
                assert (abs(found[one] - points[other]) >= np.array(SIZE) / 2).any()
