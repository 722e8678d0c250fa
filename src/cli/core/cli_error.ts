import { EXIT } from "./exit_codes.ts";

/** A failure that the command line itself found, with the exit code it ends with. */
export class CliError extends Error {
  /** Exit code. */
  readonly exitCode: number;

  /** Says what is wrong and what to do next; `exitCode` is what the command ends with. */
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** The command, an option or the input is wrong. Nothing was sent. */
export class UsageError extends CliError {
  /** Says what is wrong and what to do next. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.usage, options);
  }
}

/** A check refused to go on. Nothing was sent. */
export class RefusedError extends CliError {
  /** Says what was refused and what to do next. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.refused, options);
  }
}

/**
 * Runs what takes a person's input, and turns the library's refusal of a value into a {@linkcode UsageError}.
 *
 * @throws {UsageError} where `step` throws a `TypeError` or `RangeError`.
 */
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
