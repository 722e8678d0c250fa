import { counted } from "../../../base/text/money_text.ts";

export function waiting(poll: number | undefined) {
  return poll === undefined ? {} : { first: poll, poll, maxPoll: poll };
}

/** @throws {Error} that names the first window that is not stored. */
export function windowsText(
  outcomes: readonly {
    readonly name: string;
    readonly start: string;
    readonly end: string;
    readonly state: string;
    readonly rows: number;
    readonly error?: Error | undefined;
  }[],
  notes: readonly string[],
): string {
  const failed = outcomes.filter(({ state }) => state === "failed");
  const [first] = failed;
  if (first !== undefined) {
    throw new Error(
      `${failed.length} of ${outcomes.length} windows are not stored, first ${first.name} from ${first.start} to ` +
        `${first.end}: ${first.error?.message}`,
    );
  }
  const stored = outcomes.filter(({ state }) => state === "stored");
  const rows = stored.reduce((sum, one) => sum + one.rows, 0);
  return [`${counted(stored.length, "window")}, ${counted(rows, "row")}`, ...notes].join("; ");
}
