import { fieldsOf } from "../batch/fields_of.ts";
import { parseJson } from "./json.ts";

/** What could be read out of the body of a failure. */
export interface ErrorBody {
  /** The platform's code, for example `INVALID_ARGUMENT`. */
  readonly code?: string;
  /** The platform's words. */
  readonly message?: string;
  /** A request id in the body, where the header has none. */
  readonly requestId?: string;
}

/**
 * Reads code and message out of any error body the platform sends: `{code, details}`, `{code, message, errors}`,
 * `{code, detail}`, `{errorCode, message}`, `{message}`, an `errors` list alone, HTML, or nothing.
 */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed === "") return {};
  if (!/^[{[]/.test(trimmed)) return { message: plainText(trimmed) };
  let body: unknown;
  try {
    body = parseJson(trimmed);
  } catch {
    return { message: plainText(trimmed) };
  }
  const found = fieldsOf(Array.isArray(body) ? body[0] : body);
  const first = fieldsOf(Array.isArray(found["errors"]) ? found["errors"][0] : undefined);
  const code = firstText(
    found["code"],
    found["errorCode"],
    found["error"],
    first["code"],
    first["errorType"],
  );
  const message = firstText(
    found["message"],
    found["details"],
    found["detail"],
    found["description"],
    found["error_description"],
    found["Message"],
    first["message"],
  );
  const requestId = firstText(found["requestId"]);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: cut(message) }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function firstText(...values: unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

function plainText(text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, " ");
  return cut(title.replace(/\s+/g, " ").trim());
}

function cut(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}
