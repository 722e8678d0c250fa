import { test } from "node:test";
import { equal, rejects } from "../support/assert.ts";
import { fetchFile } from "../../src/client/reports/file/open_file.ts";

function world(responses: Response[]): { asked: RequestInit[]; fetch: typeof fetch; timeout: number } {
  const asked: RequestInit[] = [];
  return {
    asked,
    timeout: 5,
    fetch: (_input, init) => {
      asked.push(init ?? {});
      return Promise.resolve(responses.shift() ?? new Response("x"));
    },
  };
}

test("files are fetched with TLS alone, loopback excepted, and nothing is sent otherwise", async () => {
  const { asked, ...rest } = world([]);
  for (
    const url of [
      "http://files.example/a",
      "http://127.0.0.1.example/a",
      "ftp://files.example/a",
      "http://10.0.0.1/a",
    ]
  ) {
    await rejects(fetchFile(url, rest, undefined), /Cannot exchange a file with/);
  }
  equal(asked.length, 0);
  for (
    const url of ["https://files.example/a", "http://127.0.0.1:9/a", "http://localhost/a", "http://[::1]/a"]
  ) {
    equal((await fetchFile(url, rest, undefined)).status, 200, url);
  }
});

test("a redirect of a file host is not followed", async () => {
  const moved = new Response(null, { status: 302, headers: { location: "http://other.example/" } });
  const { asked, ...rest } = world([moved]);
  const { status, bytes } = await fetchFile("https://files.example/a", rest, undefined);
  equal(status, 302);
  equal((await Array.fromAsync(bytes)).length, 0);
  equal(asked[0]?.redirect, "manual");
});
