"""Write docs/reference/policies.md."""

from studies.policies.write import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
