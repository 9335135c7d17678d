"""The page whose sliders ask what if: what is cheapest at other sizes, limits and prices, found beforehand."""
