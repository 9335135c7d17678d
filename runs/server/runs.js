// Shows the runs of runs.json, and asks for them again while the page is visible; the server says if nothing has changed.
"use strict";
const EVERY_MS = 2000, WIDTH = 100, HEIGHT = 30, SVG = "http://www.w3.org/2000/svg";
const PARTS = { about: "p", state: "p", share: "progress", progress: "p", objective: "p", best: "p", bound: "p", proof: "p", curve: "svg", age: "p", links: "p" };
const cards = new Map(), sections = new Map();

function make(name, kind) {
  const element = kind === "svg" ? document.createElementNS(SVG, kind) : document.createElement(kind);
  element.setAttribute("class", name);
  return element;
}

function hrefOf(path) {
  return ["files", ...path].map(encodeURIComponent).join("/");
}

function linkTo(path, text) {
  const link = document.createElement("a");
  link.href = hrefOf(path);
  link.textContent = text;
  return link;
}

function newCard(run) {
  const card = document.createElement("article"), head = document.createElement("h3"), parts = {};
  const path = run.path ? run.path.split("/") : [];
  head.append(linkTo([...path, ""], run.name));
  card.append(head);
  for (const [name, kind] of Object.entries(PARTS)) card.append(parts[name] = make(name, kind));
  parts.share.setAttribute("aria-label", `Progress of ${run.name}`);
  parts.curve.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  parts.curve.setAttribute("preserveAspectRatio", "none");
  parts.curve.setAttribute("role", "img");
  parts.links.append(linkTo([], "Report"), linkTo([...path, "records", ""], "Records"), linkTo([...path, ""], "Files"));
  return { card, parts, path };
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

function draw(svg, points, best) {
  svg.toggleAttribute("hidden", points.length < 2);
  if (points.length < 2) return;
  const known = points.flatMap((point) => point.slice(1)).filter((value) => value !== null);
  const low = Math.min(...known), high = Math.max(...known), last = points[points.length - 1][0];
  const x = (seconds) => last > 0 ? WIDTH * seconds / last : 0;
  const y = (value) => high > low ? 2 + (HEIGHT - 4) * (high - value) / (high - low) : HEIGHT / 2;
  const steps = (column) => {
    const shown = points.filter((point) => point[column] !== null);
    return shown.map((point, number) => `${number ? `H${x(point[0])}V` : `M${x(point[0])} `}${y(point[column])}`).join("");
  };
  svg.replaceChildren(...[["line", 1], ["low", 2]].map(([name, column]) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", steps(column));
    return path;
  }));
  svg.setAttribute("aria-label", `Score and bound over ${Math.round(last)} s, to ${best}; smaller scores are lower`);
}

function ageText(seconds) {
  if (seconds < 60) return "updated just now";
  const [count, unit] = seconds < 3600 ? [seconds / 60, "minute"] : seconds < 172800 ? [seconds / 3600, "hour"] : [seconds / 86400, "day"];
  return `updated ${Math.floor(count)} ${unit}${Math.floor(count) === 1 ? "" : "s"} ago`;
}

function update({ card, parts, path }, run) {
  card.className = run.is_running ? "run running" : "run";
  setText(parts.about, [run.kind, run.network].filter(Boolean).join(", "));
  setText(parts.state, run.state);
  parts.share.hidden = !run.is_running || typeof run.share !== "number";
  if (!parts.share.hidden) parts.share.value = run.share;
  setText(parts.progress, run.progress || "");
  setText(parts.objective, run.objective ? `Best ${run.objective}` : "");
  setText(parts.best, run.best || "");
  setText(parts.bound, run.bound ? `Bound ${run.bound}` : "");
  setText(parts.proof, run.proof || "");
  draw(parts.curve, run.curve || [], run.best);
  setText(parts.age, ageText(Date.now() / 1000 - run.updated));
  parts.links.children[0].hidden = !run.page;
  parts.links.children[0].href = hrefOf([...path, run.page]);
  parts.links.children[1].hidden = !run.has_records;
}

function setOrder(parent, children) {
  // What is in its place stays there: an element that is moved loses the focus.
  children.forEach((child, number) => {
    if (parent.children[number] !== child) parent.insertBefore(child, parent.children[number] || null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

function show(data) {
  setText(document.getElementById("title"), data.title);
  const shown = data.groups.map((group) => {
    const key = group.sweep;
    if (!sections.has(key)) {
      const section = document.createElement("section"), head = document.createElement("h2"), box = make("runs", "div");
      section.append(head, box);
      sections.set(key, { section, head, box });
    }
    const { section, head, box } = sections.get(key);
    setText(head, group.title);
    setOrder(box, group.runs.map((run) => {
      if (!cards.has(run.path)) cards.set(run.path, newCard(run));
      update(cards.get(run.path), run);
      return cards.get(run.path).card;
    }));
    return section;
  });
  setOrder(document.getElementById("groups"), shown);
}

let tag = null, latest = null;

async function refresh() {
  const news = document.getElementById("news");
  try {
    const answer = await fetch("runs.json", { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    if (answer.ok) {
      latest = await answer.json();
      tag = answer.headers.get("ETag");
    } else if (answer.status !== 304) throw new Error(answer.statusText);
    if (latest) show(latest); // also if nothing has changed: ages have
    setText(news, "");
  } catch {
    setText(news, "No answer: isoplane serve may have ended. This page tries again.");
  }
}

async function loop() {
  if (!document.hidden) await refresh();
  setTimeout(loop, EVERY_MS);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
loop();
