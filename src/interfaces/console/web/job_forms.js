// @ts-check

/**
 * @typedef {{ name: string, type: string, help: string, default: string | number | true | null, otherwise: string | null, required: boolean, rare: boolean,
 *   choices: string[] | null, or: string | null, columns: string[] | null }} JobField
 */

const LISTS = ["ids", "words", "names", "codes", "choices"];

/**
 * What a field is about, with the value that it has when it stays empty.
 *
 * @param {JobField} field
 */
export function fieldLabel({ name, help, type, or, otherwise, default: fixed, columns }) {
  const words = name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()).replace("acos", "ACOS");
  const unit = type === "share" ? ", %" : "";
  const usual = fixed ?? otherwise;
  const more = [
    or !== null && `or "${or}"`,
    LISTS.includes(type) && "separated by commas",
    columns !== null && `a line each: ${columns.join(", ")}`,
    usual !== null && usual !== true && `empty: ${type === "share" && typeof usual === "number" ? usual * 100 : usual}`,
  ].filter(Boolean);
  return { words: words + unit, help: [help, ...more].join("; ") };
}

/**
 * The texts of a form that stand for given values.
 *
 * @param {readonly JobField[]} fields
 * @param {Readonly<Record<string, unknown>>} values
 * @returns {Record<string, string>}
 */
export function formTexts(fields, values) {
  return Object.fromEntries(fields.flatMap(({ name, type, columns }) => {
    const value = values[name];
    if (value === undefined || value === null) return [];
    if (columns !== null && Array.isArray(value)) return [[name, value.map((row) => columns.map((column) => row[column] ?? "").join("\t").trimEnd()).join("\n")]];
    if (Array.isArray(value)) return [[name, value.join(", ")]];
    return [[name, type === "share" && typeof value === "number" ? String(Number((value * 100).toPrecision(12))) : String(value)]];
  }));
}

/**
 * The input that the texts of a form give; an empty text is left out.
 *
 * @param {readonly JobField[]} fields
 * @param {Readonly<Record<string, string>>} texts
 * @returns {{ values: Record<string, unknown>, problems: string[] }}
 */
export function formValues(fields, texts) {
  /** @type {Record<string, unknown>} */
  const values = {};
  /** @type {string[]} */
  const problems = [];
  for (const field of fields) {
    const text = texts[field.name]?.trim() ?? "";
    const { words } = fieldLabel(field);
    if (text === "") {
      if (field.required) problems.push(`Fill in "${words}"`);
      continue;
    }
    const read = valueOf(field, text);
    if (read === undefined) problems.push(`"${text}" is not a number of "${words}"`);
    else values[field.name] = read;
  }
  return { values, problems };
}

/**
 * @param {JobField} field
 * @param {string} text
 * @returns {unknown} `undefined` for a text that is no such value
 */
function valueOf({ type, or, columns }, text) {
  if (type === "switch") return text === "true";
  if (LISTS.includes(type)) return text.split(/[,\n]/).map((one) => one.trim()).filter((one) => one !== "");
  if (columns !== null) return text.split("\n").flatMap((line) => rowOf(line, columns));
  if (!["whole", "amount", "share"].includes(type)) return text;
  if (or !== null && text.toLowerCase() === or) return or;
  // "1,000" could be one or a thousand.
  if (/^\d{1,3},\d{3}$/.test(text)) return undefined;
  const bare = text.replace(",", ".").replace(/\s*%$/, "");
  if (!/^\d+(?:\.\d+)?$/.test(bare)) return undefined;
  return type === "share" ? Number((Number(bare) / 100).toPrecision(12)) : Number(bare);
}

/**
 * @param {string} line
 * @param {readonly string[]} columns
 */
function rowOf(line, columns) {
  const parts = line.split(line.includes("\t") ? "\t" : ",").map((part) => part.trim());
  if (parts.every((part) => part === "") || parts.join() === columns.slice(0, parts.length).join()) return [];
  return [Object.fromEntries(columns.flatMap((column, at) => {
    const part = parts[at] ?? "";
    return part === "" ? [] : [[column, /^\d+(?:\.\d+)?$/.test(part) && column === "bid" ? Number(part) : part]];
  }))];
}
