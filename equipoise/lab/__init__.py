"""The lab: a page in the browser on which a designer turns the values of the rules and watches the seats move.

`session` plays and needs no browser; `page` shows it with NiceGUI (the extra `lab`), behind `guard`.
"""
