import { EXIT } from "./exit_codes.ts";

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
