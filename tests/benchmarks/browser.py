"""Functions of JavaScript that tests run in a page."""

LAYOUT = """() => ({
  excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  cut: [...document.querySelectorAll("main *, header *")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !part.closest(".wide, .panels, svg, details, .tip");
  }).map((part) => part.outerHTML.slice(0, 80)),
  unmarked: [...document.querySelectorAll(".wide, .panels")].filter((box) =>
    box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box.previousElementSibling).display === "none").length,
})"""

# The contrast of every text of a chart with what is drawn below its centre, which axe leaves undecided. The window must
# be as high as the page, since only what is in it has places.
FAINT_TEXTS = """() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = (top, share, below) => below.map((part, index) => share * top[index] + (1 - share) * part);
  const opacity = (shape) => {
    let share = 1;
    for (let at = shape; at && !at.matches("svg"); at = at.parentElement) share *= Number(getComputedStyle(at).opacity);
    return share;
  };
  const faint = [];
  for (const text of document.querySelectorAll("svg.chart text")) {
    const box = text.getBoundingClientRect();
    if (!text.textContent.trim() || !box.width) continue;
    const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    let below = parse(getComputedStyle(document.body).backgroundColor).slice(0, 3);
    const shapes = stack.slice(stack.indexOf(text) + 1).reverse(); // the lowest first
    for (const shape of shapes.filter((shape) => shape.closest("svg") && !shape.matches("svg, text, .value"))) {
      const style = getComputedStyle(shape);
      const fill = style.fill === "none" ? [0, 0, 0, 0] : parse(style.fill);
      below = over(fill, (fill[3] ?? 1) * Number(style.fillOpacity) * opacity(shape), below);
    }
    const colour = over(parse(getComputedStyle(text).fill), opacity(text), below);
    const [dark, light] = [luminance(colour), luminance(below)].sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faint.push(`${text.textContent.trim()}: ${contrast.toFixed(2)}`);
  }
  return faint;
}"""

TABLES = """() => [...document.querySelectorAll("table.rows")].map((table) => {
  const text = (cells) => [...cells].map((cell) => cell.textContent.trim());
  const rows = () => [...table.tBodies[0].rows].map((row) => text(row.cells));
  const before = rows(), heads = [...table.tHead.rows[0].cells];
  const sorted = heads.map((head, column) => {
    const button = head.querySelector("button");
    if (!button) return null;
    button.focus();
    const focused = document.activeElement === button;
    return { focused, orders: ["ascending", "descending"].map((order) => {
      button.click();
      return { announced: head.getAttribute("aria-sort") === order, values: rows().map((row) => row[column]) };
    })};
  });
  return { before, after: rows(), sorted, scopes: heads.map((head) => head.scope) };
})"""

FILTER = """() => [...document.querySelectorAll("label.filter")].map((label) => {
  const field = label.querySelector("input");
  let box = label;
  while (!box.matches(".wide")) box = box.nextElementSibling;
  const rows = [...box.querySelectorAll("tbody tr")], word = rows[0].cells[0].textContent.trim();
  field.value = word;
  field.dispatchEvent(new Event("input"));
  const shown = rows.filter((row) => row.getClientRects().length).map((row) => row.textContent);
  field.value = "";
  field.dispatchEvent(new Event("input"));
  return { word, shown, all: rows.map((row) => row.textContent) };
})"""

# Writes the number of its row before and after each cell of a table, to see in print on which sheet it is.
MARK_ROWS = """rows => [...document.querySelectorAll("table")].flatMap((table, number) => {
  const body = table.tBodies[0], last = body.rows[body.rows.length - 1];
  for (let added = 0; added < rows; added++) last.after(last.cloneNode(true));
  const head = table.tHead.rows[0].cells[0];
  (head.querySelector("button") ?? head).prepend(`head${number}. `);
  return [...body.rows].map(() => number);
}).map((table, number) => {
  for (const cell of document.querySelectorAll("tbody tr")[number].cells) {
    cell.prepend(`row${number}. `);
    cell.append(` row${number}.`);
  }
  return table;
})"""
