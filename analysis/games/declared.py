"""What the analyses need to know about a game in plain Python."""

from analysis.data.declarations import Declarations

DECLARATIONS = Declarations(length="moves")
