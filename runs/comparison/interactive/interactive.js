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
  const [delay, throughput] = [number(row.delay_ns, 1), `${number(100 * row.throughput, 1)} %`];
  return `${row.number} ${row.design.name}: ${number(row.usd)} US$ per node, ${delay} ns, throughput ${throughput}`;
}

function scaleOf(values, from, to, logarithmic) {
  if (!values.length) return () => (from + to) / 2;
  const map = logarithmic ? Math.log : (value) => value;
  const low = map(Math.min(...values)), high = map(Math.max(...values));
  const margin = (high - low || Math.abs(high) || 1) * 0.08, span = high - low + 2 * margin;
  return (value) => from + ((map(value) - low + margin) / span) * (to - from);
}

function ticksOf(values, logarithmic) {
  if (!values.length) return [];
  const low = Math.min(...values), high = Math.max(...values);
  if (low === high) return [low];
  const decade = 10 ** Math.floor(Math.log10(high - low));
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

function drawAxes(svg, prices, values, metric, x, y, logarithmic) {
  const { width, height, left, right, bottom, top } = SIZE;
  const colour = { stroke: "var(--line)" }, most = Math.max(...values);
  for (const tick of ticksOf(prices, logarithmic)) {
    svg.append(element("line", { x1: x(tick), x2: x(tick), y1: top, y2: height - bottom, ...colour }));
    svg.append(text(x(tick), height - bottom + 16, number(tick)));
  }
  for (const tick of ticksOf(values, false)) {
    svg.append(element("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), ...colour }));
    svg.append(text(left - 6, y(tick) + 4, metric.words(tick, most), "end"));
  }
  svg.append(text((left + width - right) / 2, height - 8, "price (US$ per node)", "middle", "ink"));
  const title = text(-(top + height - bottom) / 2, 14, metric.title, "middle", "ink");
  title.setAttribute("transform", "rotate(-90)");
  svg.append(title);
}

// The limits of the quantities of a chart, where they lie on it: the highest price, and the least throughput.
function drawLimits(svg, metric, x, y) {
  const { width, height, left, right, bottom, top } = SIZE;
  const line = { stroke: "var(--ink)", "stroke-dasharray": "6 4", class: "limit" };
  const across = at.budget === null ? NaN : x(at.budget), up = metric.limit ? y(metric.limit()) : NaN;
  if (across >= left && across <= width - right) {
    const place = Math.min(Math.max(across, left + 50), width - right - 50);
    svg.append(element("line", { x1: across, x2: across, y1: top, y2: height - bottom, ...line }));
    svg.append(text(place, top - 3, `at most ${usd(at.budget)}`, "middle", "ink"));
  }
  if (up >= top && up <= height - bottom) {
    svg.append(element("line", { x1: left, x2: width - right, y1: up, y2: up, ...line }));
    const below = height - bottom - up > 16; // the numbers of the axis
    svg.append(text(left + 5, up + (below ? 14 : -5), `at least ${DATA.shares[at.throughput]}`, "start", "ink"));
  }
}

function pointOf(row, x, y) {
  const point = element("circle", { cx: x, cy: y, r: 6, fill: `var(--${DATA.colours[row.kind]})` });
  point.append(element("title", {}, describe(row)));
  const link = element("a", { href: `#${row.id}`, "aria-label": describe(row), class: "point" }, point);
  link.addEventListener("focus", () => (document.getElementById("pointed").textContent = describe(row)));
  return link;
}

function missedPointOf(row, x, y) {
  const stroke = `var(--${DATA.colours[row.kind]})`;
  const point = element("circle", { cx: x, cy: y, r: 5.5, fill: "none", "stroke-width": 2, stroke });
  point.append(element("title", {}, `${row.design.name}: ${row.miss.text}`));
  return point;
}

// Prices against a metric, of designs; without any, of the nearest ones, with words that say so.
function chartOf(rows, without, metric) {
  const { width, height, left, right, bottom, top } = SIZE;
  const missed = rows.length ? [] : without.filter((row) => row.design), points = [...rows, ...missed];
  const outside = missed.map((row) => `${row.design.name} ${row.miss.text}`);
  const said = rows.length ? rows.map(describe) : [NO_DESIGN, ...outside];
  const label = `Price against ${metric.title}: ${said.join("; ")}`, viewBox = `0 0 ${width} ${height}`;
  const svg = element("svg", { viewBox, class: "chart half", role: "group", "aria-label": label });
  const prices = points.map((row) => row.usd), values = points.map((row) => row[metric.key]);
  if (!rows.length && at.budget !== null) prices.push(at.budget);
  if (!rows.length && metric.limit) values.push(metric.limit());
  const logarithmic = Math.min(...prices) > 0 && Math.max(...prices) > WIDE * Math.min(...prices);
  const x = scaleOf(prices, left, width - right, logarithmic);
  const y = scaleOf(values, height - bottom, rows.length ? top : top + 24, false);
  drawAxes(svg, prices, values, metric, x, y, logarithmic);
  drawLimits(svg, metric, x, y);
  if (!rows.length) svg.append(text((left + width - right) / 2, top + 16, NO_DESIGN, "middle", "ink"));
  for (const row of missed) svg.append(missedPointOf(row, x(row.usd), y(row[metric.key])));
  const front = frontOf(rows, metric.rank);
  const steps = front.map((row, place) => `${place ? "H" : "M"}${x(row.usd)}${place ? "V" : " "}${y(row[metric.key])}`);
  svg.append(element("path", { d: steps.join(""), fill: "none", stroke: "var(--muted)" }));
  const places = []; // with the numbers of all designs there
  for (const row of rows) {
    const left = x(row.usd), top = y(row[metric.key]);
    svg.append(pointOf(row, left, top));
    const same = places.find((place) => Math.hypot(place.left - left, place.top - top) < 4);
    if (same) same.numbers.push(row.number);
    else places.push({ left, top, numbers: [row.number] });
  }
  const shown = [];
  for (const { left, top, numbers } of places) {
    const content = numbers.join(", "), right = left + Math.max(16, 7 * content.length);
    // Numbers only where they hide no others.
    if (shown.some((other) => left < other.right && other.left < right && Math.abs(other.top - top) < 12)) continue;
    shown.push({ left, top, right });
    svg.append(text(left + 8, top - 6, content, "start"));
  }
  return svg;
}

function showCharts(rows, without) {
  const box = element("div", { class: "panels", tabindex: 0, role: "group", "aria-label": "Charts" });
  box.append(...METRICS.map((metric) => chartOf(rows, without, metric)));
  showValues(box, tip);
  document.getElementById("charts").replaceChildren(box);
  document.getElementById("pointed").textContent = rows.length
    ? "No design is better in both quantities than one on the line."
    : `${NO_DESIGN}; dashed lines are limits, and hollow circles the nearest designs outside of them.`;
}

function showTable(rows) {
  for (const head of document.querySelectorAll("#designs th[aria-sort]")) head.setAttribute("aria-sort", "none");
  const body = document.querySelector("#designs tbody");
  body.closest(".wide").hidden = !rows.length;
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

function showWithout(without) {
  const box = document.getElementById("without");
  if (!without.length) return box.replaceChildren();
  const title = "Families without a design";
  const heads = ["family", "reason"].map((words) => element("th", { scope: "col" }, words));
  const head = element("thead", {}, element("tr", {}, ...heads));
  const lines = without.map((row) =>
    element("tr", {}, element("th", { scope: "row" }, row.title), element("td", {}, row.miss.text)),
  );
  const table = element("table", {}, head, element("tbody", {}, ...lines));
  const hint = document.querySelector(".hint").cloneNode(true);
  const wide = element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title }, table);
  box.replaceChildren(element("h3", {}, title), hint, wide);
}

function showData(rows) {
  const values = rows.map((row) => [row.number, `"${row.design.name}"`, row.usd, row.delay_ns, row.throughput]);
  const heads = ["number", "design", "cost_usd_per_node", "delay_ns", "throughput"];
  const lines = [heads, ...values].map((line) => line.join(","));
  document.getElementById("data").hidden = !rows.length;
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
  const percent = (100 * usd) / begun - 100, size = Math.abs(percent);
  return size < 0.05 ? "" : `, ${number(size, 1)} % ${percent < 0 ? "less" : "more"} than at first`;
}

function showAnswer(rows, without) {
  const [best] = rows;
  document.title = document.querySelector("p.kind").textContent = questionOf();
  document.querySelector("h1").textContent = best
    ? `The cheapest design: ${best.design.name}, at ${number(best.usd)} US$ per node${changeOf(best.usd)}, ` +
      `${number(best.usd * NODES[at.nodes])} US$ in all`
    : fill(TEXTS.none, { share: DATA.shares[at.throughput] }).replace(/\.$/, "").replace(/ %/, "\u00a0%");
  document.getElementById("nearest").textContent = best
    ? [provenText(best), opensmText(rows)].filter((said) => said).join(" ")
    : [nearestText(without), provenText(null)].filter((said) => said).join(" ");
  document.getElementById("rests-on").textContent = `${DATA.rests_on[at.ports]} ${TEXTS.tried}`;
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
  const [rows, without] = chosenRows();
  rows.forEach((row, place) => (row.number = place + 1));
  shown = rows;
  showAnswer(rows, without);
  showCharts(rows, without);
  showLegend(rows.length ? rows : without.filter((row) => row.design));
  showData(rows);
  showTable(rows);
  showDesign(rows);
  showWithout(without);
  document.getElementById("command").previousElementSibling.textContent = rows.length
    ? "All numbers of these designs, and which more nodes would cost less in all"
    : "The same comparison in a terminal";
  document.getElementById("command").textContent = commandOf();
  markOverflow();
}

function showLegend(rows) {
  const all = DATA.legend.map((title, kind) => [title, `background: var(--${DATA.colours[kind]})`]);
  const kinds = all.filter((_, kind) => rows.some((row) => row.kind === kind));
  const marks = kinds.map(([title, style]) => [element("i", { class: "mark", style }), `${title}  `]);
  document.getElementById("legend").replaceChildren(...marks.flat());
}

addEventListener("DOMContentLoaded", () => {
  document.querySelector("h1").after(element("p", { class: "beside", id: "nearest" }));
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
