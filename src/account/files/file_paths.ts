import type { AccountNode } from "./account_reading.ts";

const MAX_BYTES = 120;
/** Reserved device names on Windows. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Names the files of campaigns so that they are unique regardless of case and Unicode form. The campaign with the
 * lowest id gets the plain name; the others have their id appended.
 */
export function fileNames(campaigns: readonly AccountNode[], taken: Iterable<string>): Map<string, string> {
  const used = new Set([...taken].map(comparable));
  const names = new Map<string, string>();
  const sorted = [...campaigns].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
  for (const { id, entity } of sorted) {
    const plain = slug(String(entity["name"] ?? ""));
    let name = plain;
    for (let count = 1; used.has(comparable(name)); count++) {
      name = `${plain}-${slug(id)}${count === 1 ? "" : `-${count}`}`;
    }
    used.add(comparable(name));
    names.set(id, name);
  }
  return names;
}

export function slug(text: string): string {
  const words = text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(
    /^-+|-+$/g,
    "",
  );
  const cut = cutToBytes(words, MAX_BYTES).replace(/-+$/, "");
  if (cut === "") return "campaign";
  return DEVICES.test(cut) ? `${cut}-campaign` : cut;
}

/** Normalizes a name for comparison, because some file systems ignore case or Unicode normalization. */
function comparable(name: string): string {
  return name.normalize("NFKD").toUpperCase().toLowerCase();
}

function cutToBytes(text: string, most: number): string {
  const encoder = new TextEncoder();
  let length = 0;
  let cut = "";
  for (const char of text) {
    length += encoder.encode(char).length;
    if (length > most) break;
    cut += char;
  }
  return cut;
}
