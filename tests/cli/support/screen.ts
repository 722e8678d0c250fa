/** What a terminal shows after a text: carriage returns, cursor up and clearing to the end are understood. */
export function screen(text: string): string[] {
  const lines = [""];
  let row = 0;
  let column = 0;
  // deno-lint-ignore no-control-regex
  for (const [, up, clear, char] of text.matchAll(/\x1b\[(\d+)A|(\x1b\[J)|([^])/g)) {
    if (up !== undefined) row -= Number(up);
    else if (clear !== undefined) {
      lines.length = row + 1;
      lines[row] = lines[row]!.slice(0, column);
    } else if (char === "\r") column = 0;
    else if (char === "\n") {
      row++;
      column = 0;
      lines[row] ??= "";
    } else {
      lines[row] = lines[row]!.slice(0, column) + char + lines[row]!.slice(column + 1);
      column++;
    }
  }
  return lines;
}
