"""An all-to-all exchange on the terminal: its phases, their bound, and where messages collide."""

from isoplane.objectives.exchanges import OrderCheck

SHOWN = 3  # collisions


def exchange_text(checked: OrderCheck) -> str:
    """Return what a check of an order found, in a line, and some of its collisions below it."""
    order = checked.order
    head = f"exchange in {order.phases} phases, order {order.name}, at least {checked.bound} over these routes"
    if checked.contention_free:
        return f"{head}: free of contention"
    phases = int((checked.busiest > 1).sum())
    lines = [f"{head}: up to {checked.busiest.max()} messages over a link, in {phases} phases, such as"]
    return "\n".join([*lines, *(f"  {each}" for each in checked.where(SHOWN))])
