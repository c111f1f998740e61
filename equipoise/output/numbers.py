"""Numbers as people write them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from simcore.errors import UsageError

MAX_DIGITS = 40
MANY = 10_000
"""Numbers that may be larger are written in short forms such as 1e6."""


def whole(text: str, option: str, least: int = 1, most: int = 2**32 - 1) -> int:
    """Parse a whole number such as "1e6", "250_000" or "2.5e5".

    Raises
    ------
    UsageError
        If the text is not a number, or the number has a fraction or is out of range.
    """
    try:
        if len(text) > MAX_DIGITS:
            raise InvalidOperation
        number = Decimal(text.strip().replace("_", ""))
    except InvalidOperation:
        how = "write 1000000, 1_000_000 or 1e6" if most > MANY else f"give a whole number from {least} to {most:,}"
        raise UsageError(f"'{text[:MAX_DIGITS]}' is not a number; {how}", option) from None
    if not number.is_finite() or not least <= number <= most:
        raise UsageError(f"{text} is out of range; give a whole number from {least} to {most:,}", option)
    if number != number.to_integral_value():
        raise UsageError(f"{text} has a fraction; give a whole number", option)
    return int(number)
