// Sliders choose among the offers that were found beforehand: the cheapest design of each family, its price in whole
// cents, and the fronts, all by the rules of `isoplane compare`.
"use strict";
const DATA = JSON.parse(document.getElementById("offers").textContent);
const BEGIN = DATA.begin, NODES = DATA.nodes, PORTS = DATA.ports, CABLES = DATA.cable_mm, TEXTS = DATA.texts;
const SIZE = { width: 500, height: 330, left: 70, right: 14, top: 16, bottom: 44 };
const NO_DESIGN = "No design is within the limits";
const WIDE = 4; // ratio of prices from which their axis is logarithmic
// As Python rounds: of two numbers as near, to the even one.
const FORMATS = [0, 1, 2, 3, 4].map((digits) => new Intl.NumberFormat("en-US", {
  minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven",
}));
const METRICS = [
  { key: "delay_ns", title: "mean delay (ns)", mark: "delay", rank: (row) => row.delay_ns, words: tick },
  {
    key: "throughput",
    title: "all-to-all throughput",
    mark: "throughput",
    rank: (row) => -Math.min(row.throughput, 1),
    limit: () => DATA.throughput[at.throughput],
    words: (value) => `${number(100 * value)} %`,
  },
];
const COLUMNS = [
  ["price (US$/node)", (row) => number(row.usd)],
  ["delay (ns)", (row) => number(row.delay_ns, 1)],
  ["throughput, all places (% of the rate of a node)", (row) => number(100 * row.throughput, 1)],
  ["diameter (hops)", (row) => number(row.diameter)],
  ["longest cable (m)", (row) => number(row.longest_mm / 1000, 1)],
  ["total price (US$)", (row) => number(row.usd * NODES[at.nodes])],
  ["nodes", (row) => number(row.design.nodes)],
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

function tick(value, most) {
  return number(value, most < 10 ? 2 : 0);
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

function fill(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function budgetCents() {
  return at.budget === null ? Infinity : Math.round(at.budget * 100) * NODES[at.nodes];
}

function usd(value) {
  return number(value, 2).replace(/\.00$/, "");
}

function usdText(cents) {
  return usd(Math.ceil(cents / NODES[at.nodes]) / 100);
}

// That a price is above the limit, and other limits that a design breaks; null within all.
function missOf(cents, other) {
  const limit = budgetCents();
  if (cents === undefined || cents <= limit) return other;
  const text = fill(TEXTS.price, { value: usdText(cents), excess: usdText(cents - limit), limit: usdText(limit) });
  const all = other ? [other] : [];
  const texts = [text, ...all.map((miss) => miss.text)], limits = [0, ...all.flatMap((miss) => miss.limits)];
  return { text: texts.join(TEXTS.and), limits, value: cents };
}

function choiceOf(offer) {
  const choice = offer.choices[at.cable][at.throughput];
  const said = choice.pairs ? choice.said[positionOf()] : -1 - choice.miss;
  if (said < 0) return { miss: offer.misses[-1 - said], pairs: [] };
  return { miss: null, pairs: said === undefined ? choice.pairs : [choice.pairs[said]] };
}

// The cheapest design of a family, or the nearest one, if any, and how it misses the limits.
function rowOf(offer, family) {
  const { miss, pairs } = choiceOf(offer);
  const { kind, family: name, planes, title } = offer, row = { kind, name, planes, title, fronts: [] };
  if (miss && miss.nearest < 0) return { ...row, miss };
  let best = null;
  if (miss) best = nearestRacks(miss.nearest, offer.designs[miss.nearest]);
  for (const [index, place] of pairs) {
    const design = offer.designs[index], racks = design.racks[place], cents = priceOf(racks);
    if (best === null || cents < best.cents) best = { index, design, place, racks, cents };
  }
  // Racks are those of the layout, unless they are dearer or break the limit.
  const other = best.design.racks[1];
  if (!miss && best.place === 0 && isShort(other) && priceOf(other) <= best.cents)
    best = { ...best, racks: other, cents: priceOf(other) };
  const { design, cents, racks } = best, { throughput } = design, { delay_ns, diameter, longest_mm } = racks;
  const values = { usd: cents / 100 / NODES[at.nodes], delay_ns, diameter, longest_mm, throughput };
  return { ...row, design, id: `design-${family}-${best.index}`, ...values, miss: missOf(cents, miss) };
}

function nearestRacks(index, design) {
  const all = design.racks.filter((racks) => racks), shortest = Math.min(...all.map((racks) => racks.longest_mm));
  const [best] = all
    .filter((racks) => racks.longest_mm === shortest)
    .map((racks) => ({ index, design, racks, cents: priceOf(racks) }))
    .sort((left, right) => left.cents - right.cents);
  return best;
}

// The order of those without a design: fewer limits are nearer, then those that are named first, then smaller values.
function nearer(left, right) {
  const keys = [left.miss, right.miss];
  const [one, other] = keys.map(({ limits, value }) => [!limits.length, limits.length, ...limits, value]);
  const place = one.findIndex((part, index) => part !== other[index]);
  return place < 0 ? 0 : one[place] - other[place];
}

// What has to give way for a design: the nearest one for each choice of limits.
function nearestOf(without) {
  const found = [];
  for (const row of without) {
    const { limits } = row.miss, isWithin = (other) => other.miss.limits.every((limit) => limits.includes(limit));
    if (limits.length && !found.some(isWithin)) found.push(row);
  }
  return found;
}

function nearestText(without) {
  const designs = nearestOf(without).map((row) => `${row.design ? row.design.name : row.title} ${row.miss.text}`);
  return designs.length ? fill(TEXTS.nearest, { designs: designs.join(TEXTS.or) }) : "";
}

function frontOf(rows, rank) {
  const kept = [];
  for (const row of [...rows].sort((left, right) => left.usd - right.usd || rank(left) - rank(right)))
    if (!kept.length || rank(row) < rank(kept[kept.length - 1])) kept.push(row);
  return kept;
}

// The designs within the limits by price, and the families without one, the nearest first.
function chosenRows() {
  const found = DATA.machines[at.nodes * PORTS.length + at.ports].map(rowOf);
  const rows = found.filter((row) => !row.miss).sort((left, right) => left.usd - right.usd);
  for (const { mark, rank } of METRICS) for (const row of frontOf(rows, rank)) row.fronts.push(mark);
  return [rows, found.filter((row) => row.miss).sort(nearer)];
}

// The proven bound on the price of any network, in cents, as `price_bound` computes it.
function boundCents() {
  const least = { cable: Infinity, lead: Infinity }, nodes = NODES[at.nodes], links = DATA.node_ports;
  DATA.floors[at.ports].forEach((steps, axis) => {
    for (const [part, cents] of Object.entries(steps[at.steps[axis]]))
      if (!(part in least)) least[part] = cents;
      else if (cents !== null) least[part] = Math.min(least[part], cents);
  });
  const perPort = least.switch / PORTS[at.ports], hops = DATA.hops[at.nodes * PORTS.length + at.ports];
  const perHop = (perPort + (least.cable + least.joint) / 2) * DATA.throughput[at.throughput];
  return nodes * (least.place + least.node + links * least.lead) + Math.floor(nodes * links * perPort + perHop * hops);
}

// The same, in words; without a design, whether any network can be within the limits.
function provenText(best) {
  const cents = boundCents(), price = number(Math.floor(cents / (100 * NODES[at.nodes]))), share = DATA.shares[at.throughput];
  if (!best) return fill(budgetCents() < cents ? TEXTS.never : TEXTS.open, { share, price, limit: usd(at.budget) });
  const gap = Math.max(0, 100 - cents / best.usd / NODES[at.nodes]);
  return fill(TEXTS.proven, { share, price, below: gap ? fill(TEXTS.below, { gap: number(gap, 1) }) : "" });
}

// That OpenSM has no tables for the cheapest design, and the cheapest ones that it has tables for.
function opensmText(rows) {
  if (rows[0].design.opensm !== 0) return "";
  const able = rows.filter((row) => row.design.opensm), price = able.length ? able[0].usd : NaN;
  const designs = able.filter((row) => row.usd === price).map((row) => row.design.name).join(TEXTS.equals);
  const values = { designs, price: `${number(price)} US$ per node` };
  return fill(TEXTS.no_tables, { others: able.length ? fill(TEXTS.others, values) : TEXTS.no_other });
}

function changedPrices() {
  const multiples = DATA.prices.map((part, axis) => [part, part.multiples[at.steps[axis]]]);
  return multiples.filter(([, multiple]) => multiple !== 1);
}

function commandOf(isKept = () => true, added = []) {
  const changed = changedPrices().map(([part, multiple]) => `${part.class}:${multiple}`);
  const sizes = [`nodes=${NODES[at.nodes]}`, `ports=${PORTS[at.ports]}`];
  const words = [...sizes, `throughput=${DATA.throughput[at.throughput]}`];
  if (CABLES[at.cable] !== null) words.push(`cable_m=${CABLES[at.cable] / 1000}`);
  if (at.budget !== null) words.push(`budget_usd_per_node=${at.budget}`);
  if (changed.length) words.push(`'prices.multiples={${changed.join(",")}}'`);
  return ["isoplane compare", ...words, ...DATA.words.filter(isKept), ...added].join(" ");
}

function questionOf() {
  const share = number(100 * DATA.throughput[at.throughput], 4).replace(/\.?0+$/, "");
  const parts = [`${number(NODES[at.nodes])} nodes`, `switches of ${PORTS[at.ports]} ports`];
  if (at.budget !== null) parts.push(`at most ${usd(at.budget)} US$ per node`);
  if (CABLES[at.cable] !== null) parts.push(`cables up to ${CABLES[at.cable] / 1000} m`);
  if (DATA.switches !== null) parts.push(`at most ${DATA.switches} switches`);
  if (DATA.diameter !== null) parts.push(`a diameter of at most ${DATA.diameter}`);
  parts.push(`at least ${share} % of the rate of a node in all-to-all traffic`);
  const prices = changedPrices().map(([part, multiple]) => `${part.title} at ${multiple} times their price`);
  return `What if: ${[...parts, ...prices].join(", ")}?`;
}
