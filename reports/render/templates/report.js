"use strict";
{
const all = (query, within = document) => [...within.querySelectorAll(query)];
const make = (name, values, ...inside) => {
  const made = Object.assign(document.createElement(name), values);
  made.append(...inside);
  return made;
};

// Tables: sorted by their headings, and filtered where they are long.
for (const table of all("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, place) => {
    const button = make("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && (head.classList.contains("n") || head.hasAttribute("aria-sort"));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[place].dataset.v;
      const number = head.classList.contains("n");
      const rows = [...body.rows];
      rows.sort((first, second) => {
        const [a, b] = [value(first), value(second)];
        if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
        const order = number ? a - b : a.localeCompare(b, document.documentElement.lang);
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
  if (body.rows.length > 8) {
    const field = make("input", { type: "search", className: "filter", placeholder: table.dataset.filter });
    field.setAttribute("aria-label", `${table.dataset.filter}: ${table.parentElement.getAttribute("aria-label")}`);
    field.addEventListener("input", () => {
      const wanted = field.value.toLocaleLowerCase().split(/\s+/);
      for (const row of body.rows) row.hidden = !wanted.every((word) => row.textContent.toLocaleLowerCase().includes(word));
    });
    table.parentElement.before(field);
  }
}

// The switch for number of players and level of skill, for the whole page.
const controls = document.querySelector(".controls");
if (controls && controls.children.length) controls.hidden = false;
for (const label of all("label.switch")) label.hidden = false;
const chosen = (name) => document.getElementById(`switch-${name}`)?.value ?? "";
const follow = () => {
  const [players, level] = [chosen("players"), chosen("level")];
  const other = (part) => (players && part.dataset.players && part.dataset.players !== players) || (level && part.dataset.level && part.dataset.level !== level);
  for (const part of all("main li[data-players], main li[data-level], tbody tr[data-players], tbody tr[data-level], svg [data-players]")) part.classList.toggle("off", Boolean(other(part)));
  for (const part of all("figure[data-level], header p[data-level]")) part.hidden = level ? part.dataset.level !== level : !("strongest" in part.dataset);
  for (const table of all("table")) {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (!head.dataset.players && !head.dataset.level) return;
      const off = Boolean(other(head));
      for (const row of table.rows) row.cells[place].classList.toggle("off", off);
    });
  }
};
for (const field of all("#switch-players, #switch-level")) field.addEventListener("change", follow);

// Folded sections: all at once, and the one that a link leads to.
const button = document.getElementById("open-all");
button?.addEventListener("click", () => {
  const open = button.textContent === button.dataset.open;
  for (const part of all("details.more")) part.open = open;
  button.textContent = open ? button.dataset.close : button.dataset.open;
});
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// The current section in the contents.
const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
const mark = () => {
  const line = (document.querySelector("nav")?.offsetHeight ?? 0) + 80;
  const top = (part) => part.getBoundingClientRect().top;
  const begun = all("main > section").filter((part) => top(part) < line);
  const current = begun.find((part) => top(part) > -10) ?? begun.pop(); // the first of short ones
  for (const [name, link] of links) {
    if (current && name === current.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};
addEventListener("scroll", mark, { passive: true });
mark();

// Figures: values under the pointer, and files of the drawing.
const bubble = make("div", { id: "tip", hidden: true });
bubble.setAttribute("aria-hidden", "true");
document.body.append(bubble);
const tips = new WeakMap();
for (const drawing of all("figure svg")) {
  const marks = all(".tip", drawing);
  for (const circle of marks) {
    const title = circle.querySelector("title");
    tips.set(circle, title.textContent);
    title.remove(); // the page shows it itself
  }
  const show = (event) => {
    let best = null, least = 28;
    for (const circle of marks) {
      if (circle.closest(".off")) continue;
      const box = circle.getBoundingClientRect();
      const far = Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
      if (far < least) [best, least] = [circle, far];
    }
    for (const circle of marks) circle.classList.toggle("near", circle === best);
    bubble.hidden = !best;
    if (!best) return;
    bubble.textContent = tips.get(best);
    const box = best.getBoundingClientRect();
    const left = Math.min(box.x + scrollX, scrollX + document.documentElement.clientWidth - bubble.offsetWidth - 8);
    bubble.style.left = `${Math.max(left, 8)}px`;
    bubble.style.top = `${box.y + scrollY - bubble.offsetHeight - 6}px`;
  };
  drawing.addEventListener("pointermove", show);
  drawing.addEventListener("pointerdown", show);
  drawing.addEventListener("pointerleave", () => { bubble.hidden = true; });
}
const alone = (drawing) => {
  const copy = drawing.cloneNode(true);
  all(".tip", copy).forEach((circle) => circle.remove());
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/var\(--[\w-]+,\s*([^)]+)\)/g, "$1");
};
const save = (name, address) => make("a", { download: name, href: address }).click();
for (const figure of all("figure")) {
  const name = figure.id.replace("figure-", "");
  const drawing = () => all("svg", figure).find((one) => one.getBoundingClientRect().width);
  const offer = (label, action) => {
    const press = make("button", { type: "button" }, label);
    press.setAttribute("aria-label", `${label}: ${figure.querySelector("h2, h3").firstChild.textContent.trim()}`);
    press.addEventListener("click", action);
    figure.querySelector(".offers").append(" ", press);
  };
  const address = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone(drawing()))}`;
  offer("SVG", () => save(`${name}.svg`, address()));
  offer("PNG", () => {
    const image = new Image(), box = drawing().getBoundingClientRect();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * box.width, height: 2 * box.height });
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      save(`${name}.png`, canvas.toDataURL("image/png"));
    };
    image.src = address();
  });
}
}
