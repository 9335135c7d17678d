"""The published figures, recomputed, drawn and compared with what their papers state; a folder for each paper."""
