import { createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { AuditLine } from "./audit_log.ts";

/** Digits of the number of a file's first entry, which sort the names of files. */
const DIGITS = 12;
/** Bytes in which the last entry of a file is looked for; entries are far shorter. */
const TAIL = 256 * 1024;

/** Name of a full file: its first entry's day and number stand between name and extension. */
export function fullFileName(path: string, first: { readonly n: number; readonly at: string }): string {
  const [stem, extension] = parts(path);
  return join(
    dirname(path),
    `${stem}.${first.at.slice(0, 10)}.${String(first.n).padStart(DIGITS, "0")}${extension}`,
  );
}

/** The full files of a log, oldest first. */
export async function fullFiles(path: string): Promise<string[]> {
  const [stem, extension] = parts(path);
  const names = await readdir(dirname(path)).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const pattern = /^\d{4}-\d\d-\d\d\.(\d{12})$/;
  return names
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(extension))
    .map((name) => ({
      name,
      number: pattern.exec(name.slice(stem.length + 1, name.length - extension.length))?.[1],
    }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => Number(a.number) - Number(b.number))
    .map(({ name }) => join(dirname(path), name));
}

/** The lines of a file. */
export async function* linesOf(source: string): AsyncGenerator<AuditLine> {
  let line = 0;
  let open = "";
  for await (const chunk of createReadStream(source, "utf8")) {
    const texts = (open + String(chunk)).split("\n");
    open = texts.pop()!;
    for (const text of texts) yield { source, line: ++line, text, isWhole: true };
  }
  if (open !== "") yield { source, line: ++line, text: open, isWhole: false };
}

/** The end of a file: its size, its last whole line, and what stands after that. */
export async function tailOf(
  path: string,
): Promise<{ size: number; last: string | undefined; rest: string }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL);
    const { buffer } = await file.read(new Uint8Array(length), 0, length, size - length);
    const text = new TextDecoder().decode(buffer);
    const end = text.lastIndexOf("\n");
    if (end === -1) return { size, last: undefined, rest: text };
    return { size, last: text.slice(text.lastIndexOf("\n", end - 1) + 1, end), rest: text.slice(end + 1) };
  } finally {
    await file.close();
  }
}

/** The first line of a file; `undefined` for an empty one. */
export async function firstLine(path: string): Promise<string | undefined> {
  for await (const { text } of linesOf(path)) return text;
  return undefined;
}

function parts(path: string): [stem: string, extension: string] {
  const extension = extname(path);
  return [basename(path, extension), extension];
}
