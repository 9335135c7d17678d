import re
from decimal import Decimal
from fractions import Fraction

import pytest

from isoplane.models import DelayUnits, InputError, SwitchModel
from isoplane.models.checks import cents, check_bool, check_int, exact_number, millimetres
from tests.cases import for_each


def test_a_number_has_its_decimal_not_its_binary_value():
    assert exact_number("x", 0.1) == Fraction(1, 10)
    assert [exact_number("x", value) for value in ("2.5", Decimal("2.5"), Fraction(5, 2))] == [Fraction(5, 2)] * 3


def test_lengths_are_whole_millimetres_and_prices_whole_cents():
    assert millimetres("x", 0.29) == 290  # 0.29 * 1000 is 290.0, but 0.29 * 100 is 28.999...
    assert cents("x", 310.28) == 31028
    assert cents("x", 0.29) == 29


@for_each(
    ("check", "message"),
    [
        (lambda: check_int("x", 0, 1), "x=0: expected an integer of at least 1"),
        (lambda: check_int("x", 9, 1, 8), "x=9: expected an integer from 1 to 8"),
        (lambda: check_int("x", True, 0), "x=True: expected an integer of at least 0"),
        (lambda: check_int("x", 2.0, 0), "x=2.0: expected an integer of at least 0"),
        (lambda: check_bool("x", 1), "x=1: expected true or false"),
        (lambda: exact_number("x", "1,5"), "x='1,5': expected a number of at least 0"),
        (lambda: exact_number("x", False), "x=False: expected a number of at least 0"),
        (lambda: exact_number("x", [1]), "x=[1]: expected a number of at least 0"),
        (lambda: exact_number("x", 0, above=True), "x=0: expected a number above 0"),
        (lambda: exact_number("x", 3, 4), "x=3: expected a number of at least 4"),
        (
            lambda: exact_number("x", 2 * 10**15, above=True),
            "x=2000000000000000: expected a number above 0 and at most 1000000000000000",
        ),
        (lambda: millimetres("x", 0.0001), "x=0.0001: expected a length in metres with at most three decimals"),
        (lambda: cents("x", 0.001), "x=0.001: expected a price in US$ with at most two decimals"),
    ],
)
def test_a_bad_value_is_reported_with_the_allowed_values(check, message):
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        check()


def test_an_allowed_value_is_returned():
    assert (check_int("x", 8, 1, 8), check_bool("x", False)) == (8, False)


def test_delays_are_whole_picoseconds():
    # 90 ns, 5 ns/m = 5 ps/mm, 131 ns
    assert SwitchModel().units() == DelayUnits(hop=90_000, cable_mm=5, endpoint=131_000, per_ns=1000)


def test_the_delay_unit_is_finer_than_a_picosecond_if_the_switch_model_needs_it():
    # 4.75 ps/mm needs quarters of a picosecond
    units = SwitchModel(cable_delay_ns_per_m=4.75).units()
    assert units == DelayUnits(hop=360_000, cable_mm=19, endpoint=524_000, per_ns=4000)


def test_a_float_has_its_decimal_and_a_fraction_its_exact_value():
    decimal, binary = SwitchModel(delay_ns=90.1), SwitchModel(delay_ns=Fraction(90.1))
    assert decimal == binary
    assert decimal.units().hop == 90_100
    assert Fraction(binary.units().hop, binary.units().per_ns) == Fraction(90.1)


@for_each("field", ["delay_ns", "cable_delay_ns_per_m", "endpoint_delay_ns"])
def test_a_negative_delay_is_rejected(field):
    with pytest.raises(InputError, match=re.escape(f"switch.{field}=-1: expected a number of at least 0")):
        SwitchModel(**{field: -1})


def test_a_rejected_fraction_is_shown_as_a_decimal():
    with pytest.raises(InputError, match=r"^x=2\.5: expected a number of at least 0 and at most 2$"):
        exact_number("x", Fraction(5, 2), high=2)
