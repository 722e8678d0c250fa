import { ApiProblem } from "./responses.ts";

export async function refusingBadInput<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new ApiProblem(400, "BAD_REQUEST", error.message);
  }
}
