export class Closing {
  readonly #steps: (() => void | Promise<void>)[] = [];

  later(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /**
   * Runs every step even if some fail.
   *
   * @throws the first failure.
   */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

export async function closingAfter<Context extends { readonly closing: Closing }, Result>(
  context: Context,
  part: (context: Context) => Promise<Result>,
): Promise<Result> {
  const closing = new Closing();
  try {
    return await part({ ...context, closing });
  } finally {
    await closing.close();
  }
}
