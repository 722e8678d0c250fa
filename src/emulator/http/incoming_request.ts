import { randomUUID } from "node:crypto";

export class IncomingRequest {
  readonly id: string = randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase();
  readonly method: string;
  /** Path, not decoded and without the query. */
  readonly path: string;
  readonly queryText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** True if the body exceeded the platform's limit; `body` is empty then. */
  readonly tooLarge: boolean;

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

  /** Media type of the body in lower case, without parameters; empty if missing. */
  get mediaType(): string {
    return (this.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  }

  /** Invalid UTF-8 becomes replacement characters. */
  text(): string {
    return new TextDecoder().decode(this.body);
  }
}
