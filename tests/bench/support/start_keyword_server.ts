import { startServer } from "./start_server.ts";

/** Starts a process that serves so many keywords; see `keyword_server.ts`. */
export function startKeywordServer(
  keywords: number,
  perPage: number,
): Promise<AsyncDisposable & { url: string }> {
  return startServer("keyword_server.ts", [keywords, perPage]);
}
