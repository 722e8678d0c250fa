/** The lines of an answer that a judge reads, by key in lower case; the last one of each key counts. */
export type AnswerLines = ReadonlyMap<string, string>;

/** Reads `key: value` lines, with or without the marks of Markdown. */
export function answerLines(text: string): AnswerLines {
  const lines = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, key, value] =
      /^[\s>*`_#|-]*([A-Za-z][A-Za-z0-9_ ]{0,40}?)[*`_\s]*[:=]\s*(.*?)[\s*`|]*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    lines.set(key.toLowerCase().replaceAll(" ", "_"), value.replace(/^[*`"'\s]+|["'\s]+$/g, ""));
  }
  return lines;
}

/**
 * The one number of a value: `$1,234.50`, `12.3 %`, `USD 8`. `undefined` where there is none, or more than one: an answer that
 * lists several figures states none.
 */
export function figureIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const numbers = value.replace(/(\d),(?=\d{3}(\D|$))/g, "$1").match(/-?\d+(?:\.\d+)?/g) ?? [];
  return numbers.length === 1 ? Number(numbers[0]) : undefined;
}
