/**
 * What of a program's output tells why it failed: the errors of a test run, the first ones first, and the names of all
 * tests that failed where not all errors are told; of anything else how it began and how it ended.
 *
 * @param output What the program printed, without colours.
 * @param limit Lines to give at most, names of tests aside.
 */
export function whyItFailed(output: string, limit = 60): string {
  const errors = /^ ERRORS \n\n([\s\S]*?)^ FAILURES $/m.exec(output)?.[1]?.trimEnd().split("\n");
  if (errors !== undefined) {
    const left = errors.length - limit;
    if (left <= 0) return errors.join("\n");
    const names = /^ FAILURES \n\n([\s\S]*?)\n\n/m.exec(output)?.[1]?.split("\n") ?? [];
    return [...errors.slice(0, limit), `... ${left} lines of errors more, of all that failed:`, ...names]
      .join("\n");
  }
  const lines = output.trimEnd().split("\n");
  if (lines.length <= limit) return lines.join("\n");
  const head = Math.floor(limit / 3);
  const left = lines.length - limit;
  return [...lines.slice(0, head), `... ${left} lines left out ...`, ...lines.slice(head + left)].join("\n");
}
