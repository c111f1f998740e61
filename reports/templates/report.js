"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && (head.classList.contains("n") || head.hasAttribute("aria-sort"));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[place].dataset.v;
      const number = head.classList.contains("n");
      const rows = [...table.tBodies[0].rows];
      rows.sort((first, second) => {
        const [a, b] = [value(first), value(second)];
        if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
        const order = number ? a - b : a.localeCompare(b, document.documentElement.lang);
        return down ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
