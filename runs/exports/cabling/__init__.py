"""What a cabling crew needs: where devices are, and each cable with its places, part, price, bundle and label.

This is the format `cabling` of exports, which writes out the cable list and the floor plan of `models/cabling/`; the
class `Cabling` of `models/planes/plane.py` is a plane before that, without places on the floor.
"""
