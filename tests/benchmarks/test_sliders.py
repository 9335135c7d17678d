"""The sliders of the page that asks what if, and their fields, under a finger and on a keyboard."""

import re

from .conftest import written


def command(tab):
    """The command of what the page shows."""
    return tab.inner_text("#command")


def controls(tab):
    """Each slider with its field."""
    kinds = (tab.locator(f"#sliders [type={kind}]").all() for kind in ("range", "number"))
    return list(zip(*kinds, strict=True))


def test_sliders_rise_to_the_right_up_to_any_and_the_assumptions_follow_the_ports(tab):
    for slider, _ in controls(tab):
        texts = []
        for end in ("0", slider.get_attribute("max")):
            slider.fill(end)
            texts.append(slider.get_attribute("aria-valuetext").removeprefix("\u00d7 ").replace(",", "").split()[0])
        low, high = (float("inf") if text == "any" else float(text) for text in texts)
        assert low < high
    assert "whole switches of 12 ports" in tab.inner_text("#rests-on")
    assert "fat_tree, hyperx, torus, rdt" in tab.inner_text("#rests-on")


def test_the_focus_is_not_printed(tab):
    box = tab.locator(".panels")
    tab.keyboard.press("Tab")
    box.focus()
    styles = []
    for media in ("screen", "print"):
        tab.emulate_media(media=media)
        styles.append(box.evaluate("(box) => getComputedStyle(box).outlineStyle"))
    assert styles == ["solid", "none"]


def test_a_number_that_is_typed_moves_its_slider_as_a_finger_would(tab):
    assert len(controls(tab)) == 9
    for slider, field in controls(tab):
        before = slider.input_value(), field.input_value(), command(tab)
        other = next(end for end in (slider.get_attribute("max"), "0") if end != before[0])
        slider.fill(other)
        moved = other, field.input_value(), command(tab)
        assert moved[2] != before[2]
        for position, number, words in (before, moved):
            field.fill(number)
            field.press("Enter")
            assert (slider.input_value(), command(tab)) == (position, words)


def test_cents_of_a_price_can_be_typed(tab):
    field = tab.get_by_label("Highest price", exact=False).and_(tab.locator("[type=number]"))
    field.fill("3000.25")
    field.press("Enter")
    assert "budget_usd_per_node=3000.25 " in command(tab)


def test_arrow_keys_in_a_field_go_to_the_next_position(tab):
    for slider, field in controls(tab):
        place, last = int(slider.input_value()), int(slider.get_attribute("max"))
        found = []
        for key in ("ArrowDown", "ArrowUp", "ArrowUp"):
            field.press(key)
            found.append((int(slider.input_value()), float(field.input_value() or "inf")))
        assert {at for at, _ in found} <= {max(0, place - 1), place, min(last, place + 1)}
        assert found[0][1] < found[1][1] <= found[2][1]


def test_a_number_that_is_no_position_is_refused_in_words_and_changes_nothing(tab):
    before = command(tab)
    for slider, field in controls(tab):
        position, highest = slider.input_value(), float(field.get_attribute("max"))
        assert float(field.get_attribute("min")) < highest
        message = tab.locator(f"#{field.get_attribute('aria-describedby')}")
        for number in (f"{highest + 1}", f"{highest - 0.001:.3f}", "-1"):
            field.fill(number)
            field.press("Tab")
            assert (command(tab), slider.input_value(), field.input_value()) == (before, position, number)
            assert field.get_attribute("aria-invalid") == "true"
            assert message.inner_text().startswith(f"{number}: expected ")
        slider.dispatch_event("input")
        assert message.is_hidden()
        assert field.get_attribute("aria-invalid") == "false"


def test_a_single_position_is_text_and_no_slider(browser, tmp_path):
    tab = browser.new_page()
    tab.goto(written(tmp_path / "run", "page=interactive", "page.nodes=[24]", "page.ports=[8]", "throughput=0.9"))
    texts = [box.inner_text() for box in tab.locator(".slider:not(:has(input))").all()]
    assert [re.findall(r"[\d.]+(?: %)?$", text) for text in texts] == [["24"], ["8"], ["90 %"]]
    assert tab.locator("#sliders [type=range]").count() == 6
    tab.close()
