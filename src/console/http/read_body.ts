import { fieldsOf } from "../../internal/fields_of.ts";
import { ApiProblem } from "./api_problem.ts";

/** Bytes of the largest body. */
const MAX_BODY = 4_000_000;

/**
 * The JSON object of a request.
 *
 * @throws {ApiProblem} when the body is too large or is not an object.
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ApiProblem(413, "TOO_LARGE", "Cannot read this body: it is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...fieldsOf(value) };
  } catch {
    // Refused below.
  }
  throw new ApiProblem(400, "BAD_REQUEST", "Cannot read this body: it is not a JSON object");
}
