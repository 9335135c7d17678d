// Tables sort on click of a head and filter by a text, charts show the values of their shapes, figures become files;
// without this script the page shows the same rows in their order, and a browser shows the titles of shapes itself.
"use strict";
const FEWEST_SORTED = 3, FEWEST_FILTERED = 6;

function valueOf(cell) {
  const text = cell.textContent.trim();
  const number = /^[+\u2212-]?\d[\d,]*(\.\d+)?/.exec(text);
  return { text, number: number ? Number(number[0].replace(/,/g, "").replace("\u2212", "-")) : null };
}

function compare(left, right, sign) {
  const missing = (value) => value.text === "" || value.text === "\u2013";
  if (missing(left) || missing(right)) return missing(left) - missing(right);
  if (left.number !== null && right.number !== null && left.number !== right.number)
    return sign * (left.number - right.number);
  return sign * left.text.localeCompare(right.text, "en", { numeric: true });
}

function makeSortable(table) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", other === head ? order : "none"));
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => [row, valueOf(row.cells[column])]);
      body.append(...rows.sort((left, right) => compare(left[1], right[1], sign)).map(([row]) => row));
    });
  });
}

function makeFilterable(table) {
  const rows = [...table.tBodies[0].rows], label = document.createElement("label");
  const field = document.createElement("input"), count = document.createElement("output");
  field.type = "search";
  label.className = "filter";
  label.append("Filter rows ", field, " ", count);
  table.parentElement.previousElementSibling.before(label); // the hint stays next to the box
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach((row) => {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    const shown = rows.filter((row) => !row.hidden).length;
    count.value = shown < rows.length ? `${shown} of ${rows.length}` : "";
  });
}

for (const table of document.querySelectorAll("table.rows")) {
  const rows = table.tBodies[0].rows.length;
  if (rows >= FEWEST_SORTED) makeSortable(table);
  if (rows >= FEWEST_FILTERED) makeFilterable(table);
}

// Under the pointer a switch or rack of a picture marks its cables.
for (const picture of document.querySelectorAll("svg.network")) {
  const links = [...picture.querySelectorAll("[data-ends]")].map((link) => [link, link.dataset.ends.split(" ")]);
  const mark = (device) => links.forEach(([link, ends]) => link.classList.toggle("marked", ends.includes(device)));
  picture.addEventListener("pointermove", ({ clientX, clientY }) => { // curves end in the middle of racks, above them
    mark(document.elementsFromPoint(clientX, clientY).find((shape) => "device" in shape.dataset)?.dataset.device);
  });
  picture.addEventListener("pointerleave", () => mark(undefined));
}

// A line of a design marks its row in the tables of the section, and a row its line.
for (const section of document.querySelectorAll("section:has([data-row])")) {
  const lines = [...section.querySelectorAll("[data-row]")], rows = [...section.querySelectorAll("tbody tr")];
  const numberOf = (row) => row.cells[0].textContent.trim().split(/\s/)[0];
  const mark = (number) => {
    for (const line of lines) line.classList.toggle("marked", line.dataset.row === number);
    for (const row of rows) row.classList.toggle("marked", numberOf(row) === number);
  };
  const marks = (shape, number) => {
    shape.addEventListener("pointerenter", () => mark(number));
    shape.addEventListener("pointerleave", () => mark(null));
  };
  for (const line of lines) marks(line, line.dataset.row);
  for (const row of rows) marks(row, numberOf(row));
}

function markOverflow() {
  for (const box of document.querySelectorAll(".wide, .panels"))
    box.classList.toggle("cut", box.scrollWidth > box.clientWidth + 1);
}
addEventListener("resize", markOverflow);
markOverflow();

const MOST_SHOWN = 4; // values that lie on one another
const REACHES = [0, 4, 8, 12]; // pixels around a finger or pointer in which shapes are looked for
const TURNS = [...Array(8).keys()].map((turn) => [Math.cos(turn * Math.PI / 4), Math.sin(turn * Math.PI / 4)]);

function makeTip() {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  return tip;
}

const hoverTexts = new WeakMap(); // of the shapes of all charts

function showValues(box, tip) {
  const titles = [...box.querySelectorAll("svg.chart :not(svg) > title")];
  const texts = new Map(titles.map((title) => [title.parentElement, title.textContent]));
  texts.forEach((text, shape) => hoverTexts.set(shape, text));
  const shapes = [...texts.keys()];
  titles.forEach((title) => title.remove()); // or the browser would show them too
  shapes.forEach((shape) => shape.classList.add("named"));
  if (!shapes.length) return;
  let shown = [], last = -1;
  const hide = () => {
    shown.forEach((shape) => shape.classList.remove("shown"));
    shown = [];
    tip.hidden = true;
  };
  const show = (found) => {
    hide();
    shown = found;
    found.forEach((shape) => shape.classList.add("shown"));
    const more = found.length > MOST_SHOWN ? [`and ${found.length - MOST_SHOWN} more here`] : [];
    tip.textContent = [...found.slice(0, MOST_SHOWN).map((shape) => texts.get(shape)), ...more].join("\n");
    tip.hidden = false;
    const place = found[0].getBoundingClientRect();
    const left = place.left + place.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 4))}px`;
    const above = place.top - tip.offsetHeight - 8;
    tip.style.top = `${above >= 4 ? above : place.bottom + 8}px`;
  };
  const near = ({ clientX, clientY }) => { // by points around it: the boxes around slanted lines would cover others
    for (const reach of REACHES) {
      const points = reach ? TURNS.map(([x, y]) => [clientX + reach * x, clientY + reach * y]) : [[clientX, clientY]];
      const below = points.flatMap((point) => document.elementsFromPoint(...point)).filter((shape) => texts.has(shape));
      if (below.length) return [...new Set(below)];
    }
    return [];
  };
  for (const kind of ["pointermove", "pointerdown"])
    box.addEventListener(kind, (event) => {
      const found = near(event);
      if (found.length) show(found);
      else hide();
    });
  box.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide()); // a finger leaves it
  box.addEventListener("blur", hide);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    last = (last + step + shapes.length) % shapes.length;
    shapes[last].scrollIntoView({ block: "nearest", inline: "nearest" });
    show([shapes[last]]);
  });
}

const tip = makeTip();
for (const box of document.querySelectorAll(".panels")) showValues(box, tip);
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

const DRAWING = ".value{fill:none}*{stroke-linejoin:round;stroke-linecap:butt}"; // what page.css says of charts alone
const FILE_FONT = "DejaVu Sans, sans-serif";

// A shape of SVG. XMLSerializer writes the namespace, so that no address stands in the page.
function shapeOf(drawn, name, attributes, content = "") {
  const shape = document.createElementNS(drawn.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  shape.textContent = content;
  return shape;
}

function copyOf(drawn) {
  const copy = drawn.cloneNode(true), shapes = drawn.querySelectorAll(".named");
  copy.querySelectorAll(".named").forEach((shape, place) =>
    shape.prepend(shapeOf(drawn, "title", {}, hoverTexts.get(shapes[place]))));
  return copy;
}

// A figure as a file: its drawings one below the other and the legend of its caption, in the light colours.
function fileOf(figure) {
  const charts = [...figure.querySelectorAll("svg.chart")], marks = [...figure.querySelectorAll(".mark")];
  const file = shapeOf(charts[0], "svg", { "font-family": FILE_FONT });
  const width = Math.max(...charts.map((chart) => chart.viewBox.baseVal.width));
  let height = 0;
  file.append(shapeOf(file, "style", {}, DRAWING));
  file.append(shapeOf(file, "rect", { width: "100%", height: "100%", fill: "var(--surface)" }));
  for (const chart of charts) {
    const copy = copyOf(chart), size = chart.viewBox.baseVal;
    for (const [key, value] of Object.entries({ y: height, width: size.width, height: size.height }))
      copy.setAttribute(key, value);
    file.append(copy);
    height += size.height;
  }
  for (const mark of marks) {
    const words = shapeOf(file, "text", { x: 8, y: height + 12, "font-size": 12, fill: "var(--ink)" });
    const colour = { fill: mark.style.background };
    words.append(shapeOf(file, "tspan", colour, "\u25cf "), mark.nextSibling.textContent.trim());
    file.append(words);
    height += 18;
  }
  const size = { width: `${width}pt`, height: `${height}pt`, viewBox: `0 0 ${width} ${height}` };
  for (const [key, value] of Object.entries(size)) file.setAttribute(key, value);
  const light = document.styleSheets[0].cssRules[0].style; // the dark colours follow in a rule of their own
  return new XMLSerializer().serializeToString(file).replace(/var\((--\w+)\)/g, (_, name) =>
    name === "--font" ? FILE_FONT : light.getPropertyValue(name).trim());
}

for (const link of document.querySelectorAll("figcaption a.data")) {
  const button = document.createElement("button"), name = link.download.replace(/csv$/, "svg");
  button.type = "button";
  button.className = "data";
  button.textContent = "This figure (SVG)";
  button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  button.addEventListener("click", () => {
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob([fileOf(link.closest("figure"))], { type: "image/svg+xml" }));
    saved.download = name;
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60000); // some browsers read it only after a dialog
  });
  link.after(" ", button);
}
