// Sliders between the values that were played: the seats follow, and the page says what was measured.
for (const part of document.querySelectorAll(".sliders")) {
  const data = JSON.parse(part.querySelector("script").textContent);
  const fields = [...part.querySelectorAll(".turn")].map((turn) => turn.querySelector("input, select"));
  const lines = [...part.querySelectorAll(".tracks li")];
  const write = (options) => new Intl.NumberFormat(document.documentElement.lang, options).format;
  const told = data.percent ? write({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }) : write({ maximumSignificantDigits: 3, signDisplay: "exceptZero" });
  const plain = write({ maximumFractionDigits: 6 });
  const [low, high] = data.reach;
  const at = (value) => `${(100 * (value - low)) / (high - low || 1)}%`;

  // Which of its values a field stands at or between: pairs of position and weight.
  const around = (field, places) => {
    const value = Number(field.value);
    if (!places) return [[value, 1]];
    const near = 1e-9 * (places.at(-1) - places[0]);
    const exact = places.findIndex((place) => Math.abs(place - value) <= near);
    if (exact >= 0) return [[exact, 1]];
    const above = places.findIndex((place) => place > value);
    const share = (value - places[above - 1]) / (places[above] - places[above - 1]);
    return [[above - 1, 1 - share], [above, share]];
  };
  const follow = () => {
    let corners = [[0, 1]];
    fields.forEach((field, axis) => {
      const found = around(field, data.places[axis]);
      corners = corners.flatMap(([cell, weight]) => found.map(([place, share]) => [cell * data.counts[axis] + place, weight * share]));
    });
    const known = data.cells.every((cells) => corners.every(([cell]) => cells[cell]));
    const state = !known ? "absent" : corners.length > 1 ? "between" : "measured";
    part.classList.remove("measured", "between", "absent");
    part.classList.add(state);
    for (const text of part.querySelectorAll("[data-when]")) text.hidden = text.dataset.when !== state;
    const says = part.querySelector(`[data-when=${state}]`).textContent.split(/\s*:/)[0];
    fields.forEach((field, axis) => {
      if (!data.places[axis]) return;
      const value = plain(Number(field.value));
      field.closest(".turn").querySelector("output").textContent = value;
      field.setAttribute("aria-valuetext", `${value} (${says})`);
    });
    lines.forEach((line, number) => {
      const cells = data.cells[number], shown = line.querySelector("output");
      if (!known) {
        shown.textContent = "–";
        return;
      }
      const value = corners.reduce((sum, [cell, weight]) => sum + weight * cells[cell][0], 0);
      shown.textContent = (state === "between" ? "≈ " : "") + told(value);
      line.querySelector("b").style.left = at(value);
      const [, least, most] = cells[corners[0][0]], range = line.querySelector(".range");
      range.hidden = state !== "measured" || least === null;
      if (range.hidden) return;
      range.style.left = at(least);
      range.style.right = `calc(100% - ${at(most)})`;
    });
  };
  for (const field of fields) field.addEventListener("input", follow);
  follow();
  part.hidden = false;
}
