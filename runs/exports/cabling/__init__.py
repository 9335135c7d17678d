"""What a cabling crew needs: where devices are, and each cable with its places, part, price, bundle and label."""
