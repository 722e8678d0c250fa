import { gunzipSync, gzipSync } from "node:zlib";
import type { Fetch } from "../../mod.ts";

/** A `fetch` that puts another text into the files of reports. */
export function editedReports(edit: (text: string) => string): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!new URL(input).pathname.startsWith("/files/") || !response.ok) return response;
    const text = gunzipSync(new Uint8Array(await response.arrayBuffer())).toString();
    return new Response(new Uint8Array(gzipSync(edit(text))), { headers: response.headers });
  };
}
