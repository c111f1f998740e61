"""Numbers as people write them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from simcore.errors import UsageError

MAX_DIGITS = 40
MANY = 10_000
"""Numbers that may be larger are written in short forms such as 1e6."""


def whole(text: str, option: str, least: int = 1, most: int = 2**32 - 1) -> int:
    """Parse a whole number such as "1e6", "250_000" or "2.5e5".

    Raises UsageError if the text is not a number, or the number has a fraction or is out of range.
    """
    how = "write 1000000, 1_000_000 or 1e6" if most > MANY else f"give a whole number from {least} to {most:,}"
    number = _parsed(text.replace("_", ""), option, how)
    if not number.is_finite() or not least <= number <= most:
        raise UsageError(f"{text} is out of range; give a whole number from {least} to {most:,}", option)
    if number != number.to_integral_value():
        raise UsageError(f"{text} has a fraction; give a whole number", option)
    return int(number)


def share_of(text: str, option: str) -> float:
    """Parse a share of everything, such as "0.05" or "5%".

    Raises UsageError if the text is not a number, or the number is not above 0, up to 1.
    """
    how = "give a share such as 0.05 or 5%"
    plain = text.strip().removesuffix("%")
    number = _parsed(plain, option, how) / (1 if plain == text.strip() else 100)
    if not 0 < number <= 1:
        raise UsageError(f"{text[:MAX_DIGITS]} is out of range; {how}", option)
    return float(number)


def _parsed(text: str, option: str, how: str) -> Decimal:
    """Return the number that a text is."""
    try:
        if len(text) > MAX_DIGITS or not (number := Decimal(text.strip())) == number:
            raise InvalidOperation
    except InvalidOperation:
        raise UsageError(f"'{text[:MAX_DIGITS]}' is not a number; {how}", option) from None
    return number
