import { ConfigurationError } from "../../../../errors.ts";
import { CliError, UsageError } from "../io/cli_error.ts";
import type { InputRecord } from "./read_input.ts";

interface BadRow {
  /** Position in the file: `row 3`, `line 3` or `item 3`. */
  readonly where: string;
  readonly message: string;
}

const MAX_ROWS = 100;

export class BadRowsError extends UsageError {
  readonly rows: readonly BadRow[];
  readonly count: number;

  constructor(rows: readonly BadRow[], count: number) {
    super(count === 1 ? `Cannot use ${rows[0]?.where}: ${rows[0]?.message}` : severalText(rows, count));
    this.rows = rows;
    this.count = count;
  }
}

export class BadRows {
  readonly #rows: BadRow[] = [];
  #count = 0;

  attempt<Value>({ where, problem }: InputRecord, step: () => Value): Value | undefined {
    if (problem !== undefined) {
      this.add(where, problem);
      return undefined;
    }
    try {
      return step();
    } catch (error) {
      const isOfRow = error instanceof CliError || error instanceof TypeError ||
        error instanceof ConfigurationError;
      if (!isOfRow) throw error;
      this.add(where, error.message.replace(`Cannot use ${where}: `, ""));
      return undefined;
    }
  }

  add(where: string, message: string): void {
    this.#count++;
    if (this.#rows.length < MAX_ROWS) this.#rows.push({ where, message });
  }

  refuse(): void {
    if (this.#count > 0) throw new BadRowsError(this.#rows, this.#count);
  }
}

function severalText(rows: readonly BadRow[], count: number): string {
  const lines = rows.map(({ where, message }) => `\n  ${where}: ${message}`);
  const more = count > rows.length ? `\n  and ${count - rows.length} more` : "";
  return `Cannot use ${count} records of the file, so nothing was planned:${lines.join("")}${more}`;
}
