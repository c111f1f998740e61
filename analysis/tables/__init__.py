"""Tables from elsewhere: results that people or other programs have written down, as runs that can be analysed."""
