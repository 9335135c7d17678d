// Sliders choose among the offers that were found beforehand: the cheapest design of each family, its price in whole
// cents, and the fronts, all by the rules of `isoplane compare`.
"use strict";
const DATA = JSON.parse(document.getElementById("offers").textContent);
const BEGIN = DATA.begin, NODES = DATA.nodes, PORTS = DATA.ports, CABLES = DATA.cable_mm;
const SIZE = { width: 500, height: 330, left: 62, right: 14, top: 12, bottom: 44 };
const WIDE = 4; // ratio of prices from which their axis is logarithmic
// As Python rounds: of two numbers as near, to the even one.
const FORMATS = [0, 1, 2, 3, 4].map((digits) => new Intl.NumberFormat("en-US", {
  minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven",
}));
const METRICS = [
  { key: "delay_ns", title: "mean delay (ns)", mark: "delay", rank: (row) => row.delay_ns },
  { key: "throughput", title: "all-to-all throughput", mark: "throughput", rank: (row) => -Math.min(row.throughput, 1) },
];
const COLUMNS = [
  ["price (US$/node)", (row) => number(row.usd)],
  ["delay (ns)", (row) => number(row.delay_ns, 1)],
  ["throughput (of the rate of a node)", (row) => number(row.throughput, 3)],
  ["diameter (hops)", (row) => number(row.diameter)],
  ["longest cable (m)", (row) => number(row.longest_mm / 1000, 1)],
  ["switches", (row) => number(row.design.switches)],
  ["cables between switches", (row) => number(row.design.cables)],
  ["on the front of", (row) => row.fronts.join(", ") || "\u2013"],
];
let shown = []; // rows at the current position
let begun; // the lowest price in US$ per node where the sliders began, or at the first position with a design
const at = {
  nodes: NODES.indexOf(BEGIN.nodes),
  ports: PORTS.indexOf(BEGIN.ports),
  throughput: 0,
  cable: CABLES.indexOf(BEGIN.cable_mm),
  budget: null,
  steps: DATA.prices.map((part) => part.multiples.indexOf(1)),
};

function number(value, decimals = 0) {
  return FORMATS[decimals].format(value);
}

// What is chosen

function priceOf(racks) {
  return racks.cents.reduce((cents, series, axis) => cents + DATA.series[series][at.steps[axis]], 0);
}

function positionOf() {
  return DATA.shape.reduce((flat, length, axis) => flat * length + (length > 1 ? at.steps[axis] : 0), 0);
}

function isShort(racks) {
  return racks && (CABLES[at.cable] === null || racks.longest_mm <= CABLES[at.cable]);
}

function pairsOf(choice) {
  const said = choice.said[positionOf()];
  if (said === undefined) return choice.pairs;
  return said < 0 ? [] : [choice.pairs[said]];
}

function chosenOf(offer, family) {
  const choice = offer.choices[at.cable][at.throughput];
  let best = null;
  for (const [index, place] of choice ? pairsOf(choice) : []) {
    const design = offer.designs[index], cents = priceOf(design.racks[place]);
    if (best === null || cents < best.cents) best = { design, place, cents, id: `design-${family}-${index}` };
  }
  if (best === null) return null;
  // Racks are those of the layout, unless they are dearer or break the limit.
  let racks = best.design.racks[best.place], cents = best.cents;
  const other = best.design.racks[1];
  if (best.place === 0 && isShort(other) && priceOf(other) <= cents) {
    racks = other;
    cents = priceOf(other);
  }
  const nodes = NODES[at.nodes];
  if (at.budget !== null && cents > at.budget * 100 * nodes) return null;
  const { delay_ns, diameter, longest_mm } = racks, { throughput } = best.design;
  const usd = cents / 100 / nodes;
  const { kind, family: name, planes } = offer;
  return { ...best, usd, delay_ns, diameter, longest_mm, throughput, kind, name, planes, fronts: [] };
}

function frontOf(rows, rank) {
  const kept = [];
  for (const row of [...rows].sort((left, right) => left.usd - right.usd || rank(left) - rank(right)))
    if (!kept.length || rank(row) < rank(kept[kept.length - 1])) kept.push(row);
  return kept;
}

function chosenRows() {
  const offers = DATA.machines[at.nodes * PORTS.length + at.ports];
  const rows = offers.map(chosenOf).filter((row) => row !== null);
  rows.sort((left, right) => left.usd - right.usd);
  for (const { mark, rank } of METRICS) for (const row of frontOf(rows, rank)) row.fronts.push(mark);
  return rows;
}

function changedPrices() {
  return DATA.prices.map((part, axis) => [part, part.multiples[at.steps[axis]]]).filter(([, multiple]) => multiple !== 1);
}

function commandOf(isKept = () => true, added = []) {
  const changed = changedPrices().map(([part, multiple]) => `${part.class}:${multiple}`);
  const words = [`nodes=${NODES[at.nodes]}`, `ports=${PORTS[at.ports]}`, `throughput=${DATA.throughput[at.throughput]}`];
  if (CABLES[at.cable] !== null) words.push(`cable_m=${CABLES[at.cable] / 1000}`);
  if (at.budget !== null) words.push(`budget_usd_per_node=${at.budget}`);
  if (changed.length) words.push(`'prices.multiples={${changed.join(",")}}'`);
  return ["isoplane compare", ...words, ...DATA.words.filter(isKept), ...added].join(" ");
}

function questionOf() {
  const share = number(100 * DATA.throughput[at.throughput], 4).replace(/\.?0+$/, "");
  const parts = [`${number(NODES[at.nodes])} nodes`, `switches of ${PORTS[at.ports]} ports`];
  if (at.budget !== null) parts.push(`at most ${number(at.budget)} US$ per node`);
  if (CABLES[at.cable] !== null) parts.push(`cables up to ${CABLES[at.cable] / 1000} m`);
  if (DATA.diameter !== null) parts.push(`a diameter of at most ${DATA.diameter}`);
  parts.push(`at least ${share} % of the rate of a node in all-to-all traffic`);
  const prices = changedPrices().map(([part, multiple]) => `${part.title} at ${multiple} times their price`);
  return `What if: ${[...parts, ...prices].join(", ")}?`;
}

// What is shown

function element(name, attributes = {}, ...children) {
  const svg = ["svg", "a", "circle", "line", "path", "text", "title", "g"].includes(name) && attributes.svg !== false;
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (key !== "svg") made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function linkTo(row, ...children) {
  return element("a", { href: `#${row.id}`, svg: false }, ...children);
}

function describe(row) {
  const values = [`${number(row.usd)} US$ per node`, `${number(row.delay_ns, 1)} ns`, `throughput ${number(row.throughput, 3)}`];
  return `${row.number} ${row.design.name}: ${values.join(", ")}`;
}

function scaleOf(values, from, to, logarithmic) {
  const map = logarithmic ? Math.log : (value) => value;
  const low = map(Math.min(...values)), high = map(Math.max(...values));
  const margin = (high - low || Math.abs(high) || 1) * 0.08, span = high - low + 2 * margin;
  return (value) => from + ((map(value) - low + margin) / span) * (to - from);
}

function ticksOf(values, logarithmic) {
  const low = Math.min(...values), high = Math.max(...values), decade = 10 ** Math.floor(Math.log10(high - low || high || 1));
  const few = [0.1, 0.2, 0.5, 1, 2, 5].map((part) => part * decade).find((step) => (high - low) / step <= 5);
  const found = [];
  if (logarithmic)
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
      found.push(...[1, 2, 5].map((part) => part * power).filter((tick) => tick >= low && tick <= high));
  else for (let place = Math.ceil(low / few); place * few <= high; place++) found.push(place * few);
  return found;
}

function text(x, y, content, anchor = "middle", colour = "muted") {
  return element("text", { x, y, "text-anchor": anchor, fill: `var(--${colour})`, "font-size": 12 }, content);
}

function drawAxes(svg, rows, metric, x, y, logarithmic) {
  const { width, height, left, right, bottom, top } = SIZE;
  const colour = { stroke: "var(--line)" }, values = rows.map((row) => row[metric.key]);
  const decimals = Math.max(...values) < 10 ? 2 : 0;
  for (const tick of ticksOf(rows.map((row) => row.usd), logarithmic)) {
    svg.append(element("line", { x1: x(tick), x2: x(tick), y1: top, y2: height - bottom, ...colour }));
    svg.append(text(x(tick), height - bottom + 16, number(tick)));
  }
  for (const tick of ticksOf(values, false)) {
    svg.append(element("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), ...colour }));
    svg.append(text(left - 6, y(tick) + 4, number(tick, decimals), "end"));
  }
  svg.append(text((left + width - right) / 2, height - 8, "price (US$ per node)", "middle", "ink"));
  const title = text(-(top + height - bottom) / 2, 14, metric.title, "middle", "ink");
  title.setAttribute("transform", "rotate(-90)");
  svg.append(title);
}

function pointOf(row, x, y) {
  const point = element("circle", { cx: x, cy: y, r: 6, fill: `var(--${DATA.colours[row.kind]})` });
  point.append(element("title", {}, describe(row)));
  const link = element("a", { href: `#${row.id}`, "aria-label": describe(row), class: "point" }, point);
  link.addEventListener("focus", () => (document.getElementById("pointed").textContent = describe(row)));
  return link;
}

function chartOf(rows, metric) {
  const { width, height, left, right, bottom, top } = SIZE;
  const label = `Price against ${metric.title}: ${rows.map(describe).join("; ")}`;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart half", role: "group", "aria-label": label });
  if (!rows.length) return svg;
  const prices = rows.map((row) => row.usd), logarithmic = Math.max(...prices) > WIDE * Math.min(...prices);
  const x = scaleOf(prices, left, width - right, logarithmic);
  const y = scaleOf(rows.map((row) => row[metric.key]), height - bottom, top, false);
  drawAxes(svg, rows, metric, x, y, logarithmic);
  const front = frontOf(rows, metric.rank);
  const steps = front.map((row, place) => `${place ? "H" : "M"}${x(row.usd)}${place ? "V" : " "}${y(row[metric.key])}`);
  svg.append(element("path", { d: steps.join(""), fill: "none", stroke: "var(--muted)" }));
  const labels = [];
  for (const row of rows) {
    const place = [x(row.usd), y(row[metric.key])];
    svg.append(pointOf(row, ...place));
    // A number only where it hides no other one.
    if (labels.some(([left, top]) => Math.abs(left - place[0]) < 16 && Math.abs(top - place[1]) < 12)) continue;
    labels.push(place);
    svg.append(text(place[0] + 8, place[1] - 6, String(row.number), "start"));
  }
  return svg;
}

function showCharts(rows) {
  const box = element("div", { class: "panels", tabindex: 0, role: "group", "aria-label": "Charts" });
  box.append(...METRICS.map((metric) => chartOf(rows, metric)));
  showValues(box, tip);
  document.getElementById("charts").replaceChildren(box);
}

function showTable(rows) {
  for (const head of document.querySelectorAll("#designs th[aria-sort]")) head.setAttribute("aria-sort", "none");
  const body = document.querySelector("#designs tbody");
  body.replaceChildren(
    ...rows.map((row) =>
      element(
        "tr",
        { "data-fronts": row.fronts.join(" ") },
        element("th", { scope: "row" }, linkTo(row, `${row.number}  ${row.design.name}`)),
        ...COLUMNS.map(([, cell]) => element("td", {}, cell(row))),
      ),
    ),
  );
}

function showData(rows) {
  const values = rows.map((row) => [row.number, `"${row.design.name}"`, row.usd, row.delay_ns, row.throughput]);
  const lines = [["number", "design", "cost_usd_per_node", "delay_ns", "throughput"], ...values].map((line) => line.join(","));
  document.getElementById("data").href = `data:text/csv;charset=utf-8,${encodeURIComponent(lines.join("\n"))}`;
}

function showDesign(rows) {
  const row = rows.find((each) => `#${each.id}` === location.hash) || rows[0];
  const box = document.getElementById("design");
  box.replaceChildren();
  if (!row) return;
  box.append(element("h3", {}, `${row.number}  ${row.design.name}`));
  const words = [`families=${row.name}`, `planes=${row.planes}`, "failures=none", "hydra.run.dir=chosen"];
  const isOther = (word) => !/^'?(families|planes|failures)=/.test(word);
  box.append(element("pre", { class: "copy" }, commandOf(isOther, words)));
  const note = "This writes its record, page and CSV; the last line of the output exports its cables and parts.";
  box.append(element("p", { class: "note" }, note));
}

// How much dearer or cheaper a design is than that where the sliders began.
function changeOf(usd) {
  if (begun === undefined) begun = usd;
  const percent = (100 * usd) / begun - 100;
  return Math.abs(percent) < 0.05 ? "" : `, ${number(Math.abs(percent), 1)} % ${percent < 0 ? "less" : "more"} than at first`;
}

function showAnswer(rows) {
  const [best] = rows;
  document.title = document.querySelector("p.kind").textContent = questionOf();
  document.querySelector("h1").textContent = best
    ? `The cheapest design: ${best.design.name}, at ${number(best.usd)} US$ per node${changeOf(best.usd)}`
    : "No family has a design within these limits";
  const figures = best ? COLUMNS.slice(0, 5).map(([title, cell]) => [title, cell(best)]) : [];
  document.querySelector(".key-figures").replaceChildren(
    ...figures.map(([title, value]) => {
      const [name, unit] = title.split(/ \(|\)/);
      const parts = [["name", name], ["value", value], ["unit", unit || ""]];
      return element("li", {}, ...parts.flatMap(([kind, content]) => [element("span", { class: kind }, content), " "]));
    }),
  );
}

function redraw() {
  const rows = chosenRows();
  rows.forEach((row, place) => (row.number = place + 1));
  shown = rows;
  showAnswer(rows);
  showCharts(rows);
  showLegend(rows);
  showData(rows);
  showTable(rows);
  showDesign(rows);
  document.getElementById("command").textContent = commandOf();
  markOverflow();
}

// Sliders

function addSlider(name, first, last, value, words, set) {
  const shown = element("output", {}, words(value)), label = element("label", { class: "slider" }, element("span", {}, name), shown);
  document.getElementById("sliders").append(label);
  if (first === last) return;
  const range = { type: "range", min: first, max: last, step: 1, value, "aria-valuetext": words(value) };
  const input = element("input", range);
  label.insertBefore(input, shown);
  input.addEventListener("input", () => {
    const text = words(Number(input.value));
    shown.textContent = text;
    input.setAttribute("aria-valuetext", text);
    set(Number(input.value));
    redraw();
  });
}

function addChoice(name, key, values, words) {
  addSlider(name, 0, values.length - 1, at[key], (place) => words(values[place]), (place) => (at[key] = place));
}

function highestPrice() {
  const ends = DATA.series.map((cents) => Math.max(...cents));
  const perNode = DATA.machines.flatMap((offers, machine) => {
    const racks = offers.flatMap((offer) => offer.designs.flatMap((design) => design.racks.filter((each) => each)));
    return racks.map((each) => each.cents.reduce((sum, series) => sum + ends[series], 0) / 100 / NODES[Math.floor(machine / PORTS.length)]);
  });
  return Math.ceil(perNode.reduce((most, usd) => Math.max(most, usd), BEGIN.budget || 0));
}

function addSliders() {
  addChoice("Nodes", "nodes", NODES, (value) => number(value));
  addChoice("Ports of a switch", "ports", PORTS, (value) => number(value));
  addChoice("Least throughput, of the rate of a node", "throughput", DATA.throughput, (value) => String(value));
  addChoice("Longest cable", "cable", CABLES, (value) => (value === null ? "any" : `${value / 1000} m`));
  const any = highestPrice() + 1;
  at.budget = BEGIN.budget;
  const budget = (value) => (value === any ? "any" : `${number(value)} US$ per node`);
  addSlider("Highest price", 0, any, at.budget === null ? any : at.budget, budget, (value) => (at.budget = value === any ? null : value));
  DATA.prices.forEach((part, axis) => {
    const words = (place) => `\u00d7 ${part.multiples[place]}`, set = (place) => (at.steps[axis] = place);
    addSlider(`Price of ${part.title}`, 0, part.multiples.length - 1, at.steps[axis], words, set);
  });
}

function showLegend(rows) {
  const kinds = DATA.legend.map((title, kind) => [title, kind]).filter(([, kind]) => rows.some((row) => row.kind === kind));
  const marks = kinds.map(([title, kind]) => [element("i", { class: "mark", style: `background: var(--${DATA.colours[kind]})` }), `${title}  `]);
  document.getElementById("legend").replaceChildren(...marks.flat());
}

addEventListener("DOMContentLoaded", () => {
  addSliders();
  const heads = ["design", ...COLUMNS.map(([title]) => title)].map((title) => element("th", { scope: "col" }, title));
  document.querySelector("#designs thead tr").append(...heads);
  redraw();
  makeSortable(document.querySelector("#designs"));
  addEventListener("hashchange", () => {
    showDesign(shown);
    document.getElementById("design").scrollIntoView({ block: "nearest" });
  });
});
