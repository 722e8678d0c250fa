/** Lines of an answer that a judge reads, by key in lower case; if a key is repeated, its last line counts. */
export type AnswerLines = ReadonlyMap<string, string>;

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
 * Returns the figure in an answer. Accepts `$1,234.50`, `12.3 %` or `USD 8`. `undefined` unless there is exactly one
 * number, because an answer with several figures states none.
 */
export function figureIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const numbers = value.replace(/(\d),(?=\d{3}(\D|$))/g, "$1").match(/-?\d+(?:\.\d+)?/g) ?? [];
  return numbers.length === 1 ? Number(numbers[0]) : undefined;
}
