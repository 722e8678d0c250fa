const MAX_TEXT = 20_000;
const DEEPEST = 64;

/**
 * Refuses arguments that no honest call has: what reads, compares and shows them takes its time over every character
 * and every level, and one server works for all of its clients.
 *
 * @throws {RangeError} that says what is too much.
 */
export function checkArgumentLimits(args: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: args, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && value.length > MAX_TEXT) {
      throw new RangeError(
        `Cannot take a text of ${value.length} characters: ${MAX_TEXT} are the most an argument may have`,
      );
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth >= DEEPEST) {
      throw new RangeError(`Cannot take arguments nested more than ${DEEPEST} levels deep`);
    }
    for (const [name, part] of Object.entries(value)) {
      open.push({ value: name, depth: depth + 1 }, { value: part, depth: depth + 1 });
    }
  }
}
