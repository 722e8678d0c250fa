/** A request that the API refuses, with the status and code of its response. */
export class ApiProblem extends Error {
  /**
   * Names a refusal.
   *
   * @param status HTTP status.
   * @param code Stable word for programs.
   */
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
    this.name = "ApiProblem";
  }
}
