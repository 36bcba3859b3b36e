// A page of a report: what is drawn, beside its numbers. These parts make one module; the libraries stand in the page
// as JSON and become modules of their own here, so that the page needs no other file.

const byId = (id) => document.getElementById(id);
const textOf = (id) => JSON.parse(byId(id).textContent);

// Numbers in the units that are chosen: each is in the page in SI units, marked with its dimension.
const units = { mass: "kg", length: "m" };

function unitOf(dimension) {
  const small = units.mass === "g";
  const fine = units.length === "mm";
  switch (dimension) {
    case "mass": return small ? ["g", 1e3] : ["kg", 1];
    case "length": return fine ? ["mm", 1e3] : ["m", 1];
    case "inertia": return [`${units.mass}·${units.length}²`, (small ? 1e3 : 1) * (fine ? 1e6 : 1)];
    case "density": return small ? ["g/cm³", 1e-3] : ["kg/m³", 1];
    case "volume": return fine ? ["cm³", 1e6] : ["m³", 1];
    default: return ["°", 1];
  }
}

// Four digits, as Python's format writes them.
function shortNumber(value) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return String(value);
  const [mantissa, power] = value.toExponential(3).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 4) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${Number(mantissa)}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  return String(Number(value.toPrecision(4)));
}

// The same number of digits as the others have, for lengths on the stage.
function lengthText(metres) {
  const [unit, factor] = unitOf("length");
  if (units.length === "m" && metres < 1) return `${Number((metres * 1000).toPrecision(6))} mm`;
  return `${Number((metres * factor).toPrecision(6))} ${unit}`;
}

function showUnits(root = document) {
  for (const element of root.querySelectorAll(".unit")) element.textContent = unitOf(element.dataset.d)[0];
  for (const element of root.querySelectorAll(".q")) {
    const [, factor] = unitOf(element.dataset.d);
    // What Python wrote stays, so that the page opens with its digits.
    element.dataset.text ??= element.textContent;
    element.title = element.dataset.v;
    showNumber(element, factor === 1 ? element.dataset.text : shortNumber(Number(element.dataset.v) * factor));
  }
}

// A number in two parts, before and from its decimal point or power.
function showNumber(element, text) {
  const [, whole, rest] = /^([^.e]*)(.*)$/.exec(text);
  const part = (content) => Object.assign(document.createElement("i"), { textContent: content });
  element.replaceChildren(part(whole), part(rest));
}

// Makes the parts of numbers as wide as the widest in their column, so that points are below each other.
function alignPoints() {
  for (const table of document.querySelectorAll("#links, table.numbers")) {
    const isLinks = table.id === "links";
    const widths = new Map();
    for (const cell of table.querySelectorAll("td.number")) {
      const key = isLinks ? cell.cellIndex : `${cell.parentElement.rowIndex}:${cell.cellIndex}`;
      const width = widths.get(key) ?? [0, 0];
      for (const { children } of cell.querySelectorAll(".q")) {
        [0, 1].forEach((k) => (width[k] = Math.max(width[k], children[k].textContent.length)));
      }
      widths.set(key, width);
    }
    for (const cell of table.querySelectorAll("td.number")) {
      const [whole, rest] = widths.get(isLinks ? cell.cellIndex : `${cell.parentElement.rowIndex}:${cell.cellIndex}`);
      cell.style.setProperty("--whole", `${whole}ch`);
      cell.style.setProperty("--rest", `${rest}ch`);
    }
  }
}

// Puts a text where it can be pasted; a page opened from a file may not use the clipboard of the browser.
async function copyText(text, button) {
  const label = button.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  page.copied = done ? text : null;
  button.textContent = done ? "Copied" : "Not allowed";
  setTimeout(() => (button.textContent = label), 1200);
}

// What the parts share, and what a test may ask.
const page = { copied: null };
