
// Sliders, each with a field for the number at which it stands; null is any, and an empty field.

const NEXT = { ArrowUp: 1, ArrowDown: -1 }; // how keys change the number of a field

function plain(value) {
  return number(value, 4).replace(/\.?0+$/, "");
}

// The positions of a slider for some values, which an option of the command sets.
function positionsOf(values, option) {
  const numbers = values.filter((value) => value !== null).sort((left, right) => left - right);
  const ascending = [...numbers, ...values.filter((value) => value === null)]; // any is the last one
  const least = numbers[0], most = numbers[numbers.length - 1], step = (most - least) / (numbers.length - 1);
  const isEven = numbers.length > 3 && numbers.every((value, place) => Math.abs(least + place * step - value) < 1e-9);
  const steps = `${plain(least)} to ${plain(most)} in steps of ${plain(step)}`;
  const range = isEven ? steps : numbers.map(plain).join(", ").replace(/, ([^ ]+)$/, " or $1");
  const any = numbers.length < values.length ? ", or nothing for any" : "";
  return {
    last: values.length - 1,
    ends: [least, most],
    at: (place) => ascending[place],
    of: (value) => ascending.indexOf(value),
    allowed: `${range}${any}, which were computed (option ${option})`,
  };
}

// Prices in US$ up to a highest one, and then any; a field takes cents, too.
function pricesUpTo(highest) {
  const isCents = (value) => value >= 0 && value <= highest && Math.abs(100 * value - Math.round(100 * value)) < 1e-6;
  const placeOf = (value) => (isCents(value) ? Math.round(value) : -1);
  return {
    last: highest + 1,
    ends: [0, highest],
    at: (place) => (place > highest ? null : place),
    of: (value) => (value === null ? highest + 1 : placeOf(value)),
    allowed: `0 to ${number(highest)} in whole cents, or nothing for any: no design costs more`,
  };
}

// A slider and its field, or the value as text if there is no other one.
function addSlider(name, positions, begin, words, set) {
  const box = element("div", { class: "slider" }), id = `slider-${document.querySelectorAll(".slider").length}`;
  document.getElementById("sliders").append(box);
  if (!positions.last) return box.append(element("span", {}, name), element("span", { class: "fixed" }, words(begin)));
  const [min, max] = positions.ends;
  const range = element("input", { type: "range", id, min: 0, max: positions.last, step: 1 });
  const named = { "aria-label": `${name}, as a number`, "aria-describedby": `${id}-refused` };
  const field = element("input", { type: "number", min, max, step: "any", ...named });
  if (positions.of(null) >= 0) field.placeholder = "any";
  const refused = element("p", { class: "refused", id: `${id}-refused`, role: "alert" });
  box.append(element("label", { for: id }, name), range, field, refused);
  let shown;
  const show = (value) => {
    shown = value;
    range.value = positions.of(value);
    range.setAttribute("aria-valuetext", words(value));
    field.value = value === null ? "" : value;
    field.setAttribute("aria-invalid", "false");
    refused.textContent = "";
  };
  const take = (value) => {
    show(value);
    set(value);
    redraw();
  };
  show(begin);
  range.addEventListener("input", () => take(positions.at(Number(range.value))));
  field.addEventListener("change", () => {
    const value = field.validity.badInput ? NaN : field.value === "" ? null : Number(field.value);
    if (positions.of(value) >= 0) return take(value);
    const typed = Number.isNaN(value) ? "this is no number" : value === null ? "nothing" : field.value;
    field.setAttribute("aria-invalid", "true");
    refused.textContent = `${typed}: expected ${positions.allowed}. The page shows ${words(shown)}.`;
  });
  field.addEventListener("keydown", (event) => {
    const step = NEXT[event.key], place = Number(range.value) + step;
    if (!step) return;
    event.preventDefault();
    if (place >= 0 && place <= positions.last) take(positions.at(place));
  });
}

function addChoice(name, option, key, values, words) {
  addSlider(name, positionsOf(values, option), values[at[key]], words, (value) => (at[key] = values.indexOf(value)));
}

function highestPrice() {
  const ends = DATA.series.map((cents) => Math.max(...cents));
  const perNode = DATA.machines.flatMap((offers, machine) => {
    const nodes = NODES[Math.floor(machine / PORTS.length)];
    const racks = offers.flatMap((offer) => offer.designs.flatMap((design) => design.racks.filter((each) => each)));
    return racks.map((each) => each.cents.reduce((sum, series) => sum + ends[series], 0) / 100 / nodes);
  });
  return Math.ceil(perNode.reduce((most, usd) => Math.max(most, usd), BEGIN.budget || 0));
}

function addSliders() {
  addChoice("Nodes", "page.nodes", "nodes", NODES, (value) => number(value));
  addChoice("Ports of a switch", "page.ports", "ports", PORTS, (value) => number(value));
  const least = (value) => `${value} = ${DATA.shares[DATA.throughput.indexOf(value)]}`;
  addChoice("Least throughput (of the rate of a node)", "throughput", "throughput", DATA.throughput, least);
  const metres = CABLES.map((value) => (value === null ? null : value / 1000));
  addChoice("Longest cable (m)", "page.cable_m", "cable", metres, (value) => (value === null ? "any" : `${value} m`));
  at.budget = BEGIN.budget;
  const budget = (value) => (value === null ? "any" : `${usd(value)} US$ per node`);
  const upTo = pricesUpTo(highestPrice());
  addSlider("Highest price (US$ per node)", upTo, at.budget, budget, (value) => (at.budget = value));
  DATA.prices.forEach((part, axis) => {
    const positions = positionsOf(part.multiples, `prices.ranges.${part.class}`), words = (value) => `\u00d7 ${value}`;
    const set = (value) => (at.steps[axis] = part.multiples.indexOf(value));
    addSlider(`Price of ${part.title} (× catalogue)`, positions, 1, words, set);
  });
}
