// The rounds of a game, one at a time: by buttons, slider, arrow keys and links.
for (const part of document.querySelectorAll(".rounds")) {
  const stages = [...part.querySelectorAll(".stage")], slider = part.querySelector("input"), last = stages.length - 1;
  const title = (at) => stages[at].querySelector("h3").textContent;
  const buttons = [...part.querySelectorAll(".walk button")];
  const places = { first: () => 0, previous: (at) => at - 1, next: (at) => at + 1, last: () => last };
  let now = 0;

  // The line through the shown round, in the figure of the standing.
  const point = (stage) => {
    for (const line of document.querySelectorAll("line.now")) line.remove();
    const figure = stage.dataset.figure && document.getElementById(stage.dataset.figure);
    for (const drawing of figure ? figure.querySelectorAll("svg") : []) {
      const marks = drawing.querySelectorAll(".tip");
      const at = marks[Number(stage.dataset.point)]?.getAttribute("cx");
      if (!at) continue;
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line"), ys = [...marks].map((mark) => Number(mark.getAttribute("cy")));
      const ends = { x1: at, x2: at, y1: Math.min(...ys) - 8, y2: Math.max(...ys) + 8, class: "now" };
      for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
      drawing.append(line);
    }
  };
  const show = (at) => {
    now = Math.min(Math.max(at, 0), last);
    stages.forEach((stage, place) => stage.classList.toggle("away", place !== now));
    slider.value = now;
    slider.setAttribute("aria-valuetext", title(now));
    part.querySelector("[role=status]").textContent = `${title(now)} (${now + 1} / ${stages.length})`;
    for (const button of buttons) button.disabled = places[button.dataset.to](now) === now || !stages[places[button.dataset.to](now)];
    point(stages[now]);
  };
  const linked = () => {
    const at = stages.findIndex((stage) => `#${stage.id}` === location.hash);
    if (at < 0) return;
    show(at);
    part.querySelector(".walk").scrollIntoView();
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const button of buttons) button.addEventListener("click", () => show(places[button.dataset.to](now)));
  part.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#round-']");
    if (link && link.hash === location.hash) linked(); // the address does not change
  });
  addEventListener("hashchange", linked);
  addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const taken = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.closest("input, select, textarea, .scroll, .told");
    if (!step || taken) return;
    event.preventDefault();
    show(now + step);
  });
  part.querySelector(".walk").hidden = part.querySelector(".keys").hidden = false;
  show(0);
  linked();
}
