export const EXIT = {
  done: 0,
  /** The message says what may have been done. */
  failed: 1,
  usage: 2,
  /** Some items were rejected or their outcome is unknown; the others were done. */
  someFailed: 3,
  /** Drift, or a plan that was edited, already applied, or made for another profile. Nothing was sent. */
  refused: 4,
  authentication: 5,
  /** `diff` or `drift` found differences. */
  differences: 6,
  interrupted: 130,
} as const;

interface CliErrorOptions extends ErrorOptions {
  readonly hint?: string;
}

export class CliError extends Error {
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, exitCode: number, options?: CliErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.hint = options?.hint;
  }
}

export class UsageError extends CliError {
  constructor(message: string, options?: CliErrorOptions) {
    super(message, EXIT.usage, options);
  }
}

export class RefusedError extends CliError {
  constructor(message: string, options?: CliErrorOptions) {
    super(message, EXIT.refused, options);
  }
}

/** @throws {UsageError} when `step` throws a `TypeError` or `RangeError`. */
export async function refusingBadInput<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}
