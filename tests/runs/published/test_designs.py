from isoplane.runs.published import PublishedDesign, published_points
from tests.cases import for_each


def test_the_plain_designs_of_n_8_have_every_number_that_the_paper_states():
    assert published_points(False, 8) == [
        PublishedDesign("D-HC", 4.0, 4.0, 601.0, 5.5, 630.0, None),
        PublishedDesign("DI-HC", 3.13, 5.12, 524.0, 7.1, 730.0, None),
        PublishedDesign("DI-HC-r", None, 5.0, 513.0, 6.3, 670.0, None),  # traffic 4 · 1.25
    ]


def test_the_folded_designs_of_n_12_have_every_number_that_the_paper_states():
    assert published_points(True, 12) == [
        PublishedDesign("D-FHC", None, 5.16, 975.0, 15.5, 1570.0, 4960.0),  # traffic 4 · 1.29
        PublishedDesign("DI-FHC", None, 5.84, 1028.0, 22.5, 1900.0, 5290.0),  # 4 · 1.46
        PublishedDesign("DI-FHC-r", None, 5.72, 877.0, 15.2, 1540.0, 4930.0),  # 4 · 1.43
    ]


@for_each("n", [2, 7, 9, 13])
@for_each("folded", [False, True])
def test_a_size_without_numbers_has_no_published_designs(folded, n):
    assert published_points(folded, n) == []
