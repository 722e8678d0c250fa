import { equal, throws } from "../support/assert.ts";
import { PageTokens } from "../../src/platform/transport/page_tokens.ts";

const tokens = (): PageTokens => new PageTokens("list things");
const REPEATED = /^PlatformAdsError: Cannot list things: the platform repeats the same page$/;

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
  throws(() => list.next("cursor", [{ id: 4 }, { id: "other" }]), REPEATED);
});
