import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ReadAhead } from "../../src/client/entities/wire/token_pages.ts";
import { StubServer } from "../support/stub_server.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";

/** Pages by token, each response released by the test. */
function world(next: (token: string) => string | undefined): {
  asked: string[];
  release: (token: string) => void;
  list: ReadAhead<string>;
} {
  const asked: string[] = [];
  const waiting = new Map<string, () => void>();
  const list = new ReadAhead<string>((token = "first", onText) => {
    asked.push(token);
    return new Promise((resolve) =>
      waiting.set(token, () => {
        const following = next(token);
        onText(
          JSON.stringify({ text: '"nextToken":"bait"', ...(following ? { nextToken: following } : {}) }),
        );
        resolve(token);
      })
    );
  });
  return { asked, list, release: (token) => waiting.get(token)?.() };
}

Deno.test("the next page is asked for as soon as its token is seen, and no page after that", async () => {
  const { asked, list, release } = world((token) =>
    token === "c" ? undefined : { first: "b", b: "c" }[token]
  );
  const first = list.page(undefined);
  deepEqual(asked, ["first"]);
  release("first");
  deepEqual(asked, ["first", "b"], "before the first page is handed out");
  equal(await first, "first");
  release("b");
  deepEqual(asked, ["first", "b"], "nobody has asked for b yet");
  equal(await list.page("b"), "b");
  const last = list.page("c");
  deepEqual(asked, ["first", "b", "c"]);
  release("c");
  equal(await last, "c");
});

Deno.test("a token that turns out to be another one is asked for anew", async () => {
  const { asked, list, release } = world(() => "guessed");
  const first = list.page(undefined);
  release("first");
  await first;
  const real = list.page("real");
  release("real");
  equal(await real, "real");
  deepEqual(asked.slice(0, 3), ["first", "guessed", "real"]);
});

Deno.test("a page that failed ahead fails when it is asked for, and not before", async () => {
  const list = new ReadAhead<string>((token, onText) => {
    if (token !== undefined) return Promise.reject(new Error("lost"));
    onText('{"nextToken":"b"}');
    return Promise.resolve("first");
  });
  equal(await list.page(undefined), "first");
  await new Promise((resume) => setTimeout(resume, 1));
  await rejects(list.page("b"), /lost/);
});

async function listed(read: (us: ProfileClient) => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  await using server = StubServer.start((request) => {
    if (request.path === "/token") return { json: { access_token: "t", expires_in: 3600 } };
    const page = Number(/"nextToken":"(\d+)"/.exec(request.body)?.[1] ?? 0);
    asked.push(String(page));
    const keywords = [{ keywordId: String(page), keywordText: 'a "nextToken":"9" b' }];
    return { json: { keywords, ...(page < 4 ? { nextToken: String(page + 1) } : {}) } };
  });
  const us = new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform(server.url) }).profileFrom("1", "US");
  await read(us);
  return asked;
}

Deno.test("a whole list is read page by page, in order, each once", async () => {
  let ids: string[] = [];
  const asked = await listed(async ({ sp }) =>
    ids = (await sp.keywords.list()).map(({ keywordId }) => keywordId)
  );
  deepEqual(ids, ["0", "1", "2", "3", "4"]);
  deepEqual(asked, ids);
});

Deno.test("whoever stops early asks for no page that was not wanted", async () => {
  const asked = await listed(async ({ sp }) => {
    for await (const { keywordId } of sp.keywords.iter()) if (keywordId === "1") break;
  });
  deepEqual(asked, ["0", "1"]);
});
