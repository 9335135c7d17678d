"""The published figures, recomputed, drawn and compared with the papers; one folder per paper."""
