"""Cutting a long text for engines that can't take it whole, or that can't be interrupted within one call."""

import re


def split_pieces(text: str, size: int) -> list[str]:
    """Cut into pieces of at most `size` characters, each as long as it can be, after a stop where there is one.

    Joined, the pieces are the text.
    """
    ends = ("[。．！？.!?\n]", "[、，,;；:\\s]")
    tries = "|".join(rf".{{0,{size - 1}}}{end}" for end in ends)
    return re.findall(rf"{tries}|.{{1,{size}}}", text, re.DOTALL)
