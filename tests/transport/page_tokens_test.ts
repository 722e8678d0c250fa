import { equal, throws } from "../support/assert.ts";
import { idsKey, PageTokens } from "../../src/platform/transport/page_tokens.ts";

const tokens = (): PageTokens => new PageTokens("list things");
const REPEATED =
  /^PlatformAdsError: Cannot list things: the platform repeats the same page\. It happened on page \d, whose next token is "\w+"$/;

Deno.test("a list ends with the page that has no token", () => {
  for (const end of [undefined, null, "", 7]) {
    const list = tokens();
    equal(list.next("a", [1]), "a");
    equal(list.next("b", [2]), "b");
    equal(list.next(end, [3]), undefined);
  }
});

Deno.test("tokens that go in a circle end the list with an error, whatever the pages hold", () => {
  const list = tokens();
  for (const token of ["a", "b", "c"]) list.next(token, [token]);
  throws(() => list.next("b", ["something new"]), REPEATED);
});

Deno.test("one token for all pages is followed while each page begins with something else", () => {
  const list = tokens();
  for (let page = 0; page < 5; page++) equal(list.next("cursor", [{ id: page }, { id: "same" }]), "cursor");
  throws(() => list.next("cursor", [{ id: 4 }, { id: "same" }]), REPEATED);
});

Deno.test("a list whose pages hold nothing new twice in a row ends with an error that names page and token", () => {
  const list = new PageTokens("list things", { key: idsKey });
  const page = (...ids: number[]) =>
    ids.map((thingId, at) => ({ at: Math.random(), thingId, group: { at } }));
  equal(list.next("a", page(1, 2)), "a");
  equal(list.next("b", page(2, 1)), "b", "a page may come again once: pages are independent requests");
  equal(list.next("c", page(2, 3)), "c");
  equal(list.next("d", page(3)), "d");
  equal(list.next("e", []), "e", "an empty page changes nothing");
  throws(
    () => list.next("f".repeat(100), page(1, 3)),
    /Cannot list things: the platform repeats the same page: 2 in a row .* on page 6, .* is "f{60}…"$/,
  );
});

Deno.test("the last page may hold nothing new, and twenty empty pages in a row are an error", () => {
  const repeated = tokens();
  for (const token of ["a", "b"]) repeated.next(token, [1]);
  equal(repeated.next(undefined, [1]), undefined);
  const empty = tokens();
  for (let page = 0; page < 19; page++) empty.next(`token ${page}`, []);
  empty.next("filled", [1]);
  for (let page = 20; page < 39; page++) empty.next(`token ${page}`, []);
  throws(
    () => empty.next("last", []),
    /20 pages in a row are empty, .* on page 40, whose next token is "last"/,
  );
});

Deno.test("one token for all pages is followed over one empty page, not over two in a row", () => {
  const list = tokens();
  equal(list.next("cursor", [1]), "cursor");
  equal(list.next("cursor", []), "cursor");
  equal(list.next("cursor", [2]), "cursor");
  equal(list.next("cursor", []), "cursor");
  throws(() => list.next("cursor", []), REPEATED);
});

Deno.test("an error shows sixty characters of a token", () => {
  for (const [length, shown] of [[60, "t".repeat(60)], [61, `${"t".repeat(60)}…`]] as const) {
    const list = tokens();
    list.next("t".repeat(length), [1]);
    throws(() => list.next("t".repeat(length), [1]), new RegExp(`whose next token is "${shown}"$`));
  }
});

Deno.test("items with the same ids are the same, in whatever order they are named", () => {
  equal(idsKey({ adId: 1, bid: 2, campaignId: "3" }), idsKey({ campaignId: "3", adId: 1, bid: 4 }));
  equal(idsKey({ name: "a" }) === idsKey({ name: "b" }), false);
});
