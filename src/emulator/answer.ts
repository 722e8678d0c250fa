import { writeJson } from "./json.ts";

/** What the emulator answers: a status, headers and a body that is ready to be sent. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty when there is none. */
  readonly body: string | Uint8Array;
  /** The JSON value the body was written from, for faults that change it. */
  readonly value?: unknown;
}

/** What may be set beside status and value of an answer. */
export interface AnswerOptions {
  /** Media type of the body. @default "application/json" */
  readonly type?: string;
  /** Further headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer whose body is the JSON of `value`. */
export function jsonAnswer(status: number, value: unknown, options: AnswerOptions = {}): Answer {
  return {
    status,
    headers: { "content-type": options.type ?? "application/json", ...options.headers },
    body: writeJson(value),
    value,
  };
}

/** An answer whose body is text or bytes as they are. */
export function rawAnswer(status: number, body: string | Uint8Array, options: AnswerOptions = {}): Answer {
  return { status, headers: { "content-type": options.type ?? "text/plain", ...options.headers }, body };
}

/** An answer without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: "" };
}
