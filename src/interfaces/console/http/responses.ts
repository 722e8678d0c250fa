/** Every response says these: nothing from elsewhere is loaded or run, and nothing is framed, kept or guessed. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

export function protectedResponse(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

/** A failure as the API gives it. */
export function problem(status: number, code: string, message: string, more: object = {}): Response {
  return Response.json({ error: { code, message, ...more } }, { status });
}

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
