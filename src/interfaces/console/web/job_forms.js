// @ts-check
import { amountOf } from "./grid_edits.js";

/**
 * @typedef {{ name: string, type: string, help: string, default: string | number | true | null, otherwise: string | null, required: boolean, rare: boolean,
 *   choices: string[] | null, or: string | null, columns: string[] | null, column_types: Record<string, string> | null }} JobField
 */

const LISTS = ["ids", "words", "names", "codes", "choices"];

/**
 * What a field is about, with the value that it has when it stays empty.
 *
 * @param {JobField} field
 */
export function fieldLabel({ name, help, type, or, otherwise, default: fixed, columns }) {
  const words = name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()).replace("acos", "ACOS");
  const usual = fixed ?? otherwise;
  const more = [
    or !== null && `or "${or}"`,
    LISTS.includes(type) && "separated by commas",
    columns !== null && `a line each: ${columns.join(", ")}`,
    type === "share" && "30 % or 0.3",
    usual !== null && usual !== true && `empty: ${type === "share" && typeof usual === "number" ? shareText(usual) : usual}`,
  ].filter(Boolean);
  return { words, help: [help, ...more].join("; ") };
}

/** @param {number} share */
function shareText(share) {
  return `${Number((share * 100).toPrecision(12))} %`;
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
    return [[name, type === "share" && typeof value === "number" ? shareText(value) : String(value)]];
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
    if ("problem" in read) problems.push(`${words}: ${read.problem}`);
    else values[field.name] = read.value;
  }
  return { values, problems };
}

/**
 * @param {JobField} field
 * @param {string} text
 * @returns {{ value: unknown } | { problem: string }}
 */
function valueOf({ type, or, columns, column_types: types }, text) {
  if (type === "switch") return { value: text === "true" };
  if (LISTS.includes(type)) return { value: text.split(/[,\n]/).map((one) => one.trim()).filter((one) => one !== "") };
  if (columns !== null) return rowsOf(text, columns, types ?? {});
  if (or !== null && text.toLowerCase() === or) return { value: or };
  if (type === "share") return shareOf(text);
  if (type === "whole") return amountOf(text, 0, "a whole number");
  return type === "amount" ? amountOf(text) : { value: text };
}

/**
 * A share as adsctl reads it: `30 %` or `0.3`.
 *
 * @param {string} text
 * @returns {{ value: number | string } | { problem: string }}
 */
function shareOf(text) {
  const bare = text.replace(/\s*%$/, "");
  const read = amountOf(bare, undefined, "a share such as 30 % or 0.3");
  if ("problem" in read) return read;
  // The server asks back about a number above 1, as this form does.
  if (bare !== text) return { value: read.value > 100 ? `${read.value}%` : Number((read.value / 100).toPrecision(12)) };
  return read.value > 1 ? { problem: `"${text}" is ambiguous: write ${text} % or a share such as 0.3` } : read;
}

/**
 * @param {string} text
 * @param {readonly string[]} columns
 * @param {Readonly<Record<string, string>>} types of the columns
 * @returns {{ value: Record<string, unknown>[] } | { problem: string }}
 */
function rowsOf(text, columns, types) {
  const rows = [];
  for (const [at, line] of text.split("\n").entries()) {
    const parts = line.split(line.includes("\t") ? "\t" : ",").map((part) => part.trim());
    if (parts.every((part) => part === "") || parts.join() === columns.slice(0, parts.length).join()) continue;
    if (parts.slice(columns.length).some((part) => part !== "")) {
      return { problem: `line ${at + 1}: ${parts.length} values for ${columns.length} columns: separate them by tabs, or write 1.25 for 1,25` };
    }
    /** @type {Record<string, unknown>} */
    const row = {};
    for (const [place, column] of columns.entries()) {
      const part = parts[place] ?? "";
      if (part === "") continue;
      const read = types[column] === "amount" ? amountOf(part) : { value: part };
      if ("problem" in read) return { problem: `line ${at + 1}: ${read.problem}` };
      row[column] = read.value;
    }
    rows.push(row);
  }
  return { value: rows };
}
