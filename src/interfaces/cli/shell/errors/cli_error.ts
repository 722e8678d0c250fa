import { EXIT } from "./exit_codes.ts";

interface CliErrorOptions extends ErrorOptions {
  /** Next step, on a line of its own. */
  readonly hint?: string;
}

/** A failure that the command line itself found, with the exit code it ends with. */
export class CliError extends Error {
  /** One of the values of {@linkcode EXIT}; the process ends with it. */
  readonly exitCode: number;
  /** Next step, where the message does not give it. */
  readonly hint: string | undefined;

  /** @param message What is wrong and what to do next. */
  constructor(message: string, exitCode: number, options?: CliErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.hint = options?.hint;
  }
}

/** The command, an option or the input is wrong. Nothing was sent. */
export class UsageError extends CliError {
  /** @param message What is wrong and what to do next. */
  constructor(message: string, options?: CliErrorOptions) {
    super(message, EXIT.usage, options);
  }
}

/** A check refused to go on. Nothing was sent. */
export class RefusedError extends CliError {
  /** @param message What was refused and what to do next. */
  constructor(message: string, options?: CliErrorOptions) {
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
