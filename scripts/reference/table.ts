/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
