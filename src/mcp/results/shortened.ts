import { MAX_ROWS } from "./rows.ts";

const MAX_CHARACTERS = 20_000;

/** A value that fits an answer. */
export interface Shortened {
  /** The value, or the part of it that fits. */
  readonly value: unknown;
  /** Description of the omitted parts; `undefined` when nothing was cut. */
  readonly told: string | undefined;
}

/** Cuts every list in a value at `limit` entries, and further until the value fits an answer. */
export function shortened(value: unknown, limit: number = MAX_ROWS): Shortened {
  for (let most = limit; most >= 1; most = Math.floor(most / 4)) {
    let cut = 0;
    const short = cutLists(value, most, (left) => cut += left);
    if (JSON.stringify(short).length <= MAX_CHARACTERS) {
      const told = cut === 0 ? undefined : `Lists are cut at ${most} entries; ${cut} entries are left out`;
      return { value: short, told };
    }
  }
  const size = JSON.stringify(value).length;
  return { value: null, told: `The answer has ${size} characters, too many to show. Narrow the question` };
}

function cutLists(value: unknown, most: number, left: (entries: number) => void): unknown {
  if (Array.isArray(value)) {
    if (value.length > most) left(value.length - most);
    return value.slice(0, most).map((entry) => cutLists(entry, most, left));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, cutLists(field, most, left)]),
  );
}
