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
