import { randomUUID } from "node:crypto";

/** One HTTP request, read whole. */
export class IncomingRequest {
  /** Id that the response names it by. */
  readonly id: string = randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase();
  /** HTTP method, upper case. */
  readonly method: string;
  /** Path exactly as it was sent, without the query. */
  readonly path: string;
  /** The query as text, without the question mark. */
  readonly queryText: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** True if the body was larger than the platform takes; `body` is empty then. */
  readonly tooLarge: boolean;

  /** The request as the server read it; `target` is path and query. */
  constructor(
    parts: {
      method: string;
      target: string;
      headers: Readonly<Record<string, string>>;
      body: Uint8Array;
      tooLarge: boolean;
    },
  ) {
    const target = parts.target.replace(/^https?:\/\/[^/?]*/i, "") || "/";
    const mark = target.indexOf("?");
    this.method = parts.method.toUpperCase();
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.queryText = mark < 0 ? "" : target.slice(mark + 1);
    this.headers = parts.headers;
    this.body = parts.body;
    this.tooLarge = parts.tooLarge;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.queryText);
  }

  /** Media type of the body in lower case, without parameters; empty when not given. */
  get mediaType(): string {
    return (this.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  }

  /** The body as text. Bytes that are not UTF-8 become replacement characters. */
  text(): string {
    return new TextDecoder().decode(this.body);
  }
}
