/**
 * Makes `catalog/console_headers.json`, which is loaded when a file is read, from `catalog/listing/console_headers.tsv`, the
 * header rows of report files and bulk sheets that people download by hand, and `catalog/listing/sheet_words.tsv`, the words
 * of their cells and further headers by language.
 *
 *     deno run -A scripts/generate_console_headers.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bringUpToDate } from "./catalog/generated_file.ts";

const CATALOG = fileURLToPath(new URL("../catalog/", import.meta.url));
const COLUMNS = "report product language header meaning english certainty".split(" ");

/** Texts without repetition, by their place. */
class Texts {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}

const [head = "", ...lines] = (await readFile(`${CATALOG}listing/console_headers.tsv`, "utf8")).trimEnd()
  .split("\n");
if (head !== COLUMNS.join("\t")) throw new Error(`Line 1 is not "${COLUMNS.join(" ")}"`);
const [headers, meanings] = [new Texts(), new Texts()];
const lists = new Map<string, number[][]>();
for (const [index, line] of lines.entries()) {
  const cells = line.split("\t");
  if (cells.length !== COLUMNS.length) throw new Error(`Line ${index + 2} has ${cells.length} cells`);
  const [report, product, language, header = "", meaning = "", english = "", certainty] = cells;
  const name = [report, product, language, certainty].join("|");
  const columns = lists.get(name) ?? [];
  lists.set(name, columns);
  // The listing marks a space at the end of a header by a sign of its own.
  const at = headers.place(header.replace("␠", " "));
  columns.push([at, meanings.place(meaning), ...(english === "-" ? [] : [headers.place(english)])]);
}
const packed = Object.fromEntries(
  [...lists].map(([name, columns]) => [name, columns.map((column) => column.join(".")).join(" ")]),
);
const WORD_COLUMNS = "column english language word source".split(" ");
const SOURCES = new Set("guide accepted rejected seen tool unconfirmed".split(" "));
const words: Record<string, Record<string, string[]>> = {};
const [wordHead = "", ...wordLines] = (await readFile(`${CATALOG}listing/sheet_words.tsv`, "utf8")).trimEnd()
  .split("\n");
if (wordHead !== WORD_COLUMNS.join("\t")) {
  throw new Error(`Line 1 of words is not "${WORD_COLUMNS.join(" ")}"`);
}
for (const [index, line] of wordLines.entries()) {
  const cells = line.split("\t");
  const [column = "", english = "", language = "", word = "", source = ""] = cells;
  if (cells.length !== WORD_COLUMNS.length || !SOURCES.has(source)) {
    throw new Error(`Line ${index + 2} of words has ${cells.length} cells, the last is "${source}"`);
  }
  // The platform refused it, or a real file has another word.
  if (source === "rejected") continue;
  ((words[column] ??= {})[english] ??= []).push([language, source, word].join("|"));
}
const data = { headers: headers.list, meanings: meanings.list, lists: packed, words };
const text = `${JSON.stringify(data, null, 2)}\n`;

const check = process.argv.includes("--check");
const different = await bringUpToDate([{ path: `${CATALOG}console_headers.json`, text }], {
  check,
  log: console.log,
});
if (check && different > 0) process.exitCode = 1;
