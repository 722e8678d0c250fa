import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import fc from "fast-check";
import { SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { type FakeScope, fakeScope, type ScopeRequest } from "../support/fake_scope.ts";

const idOf = (n: number): string => String(1_000_000 + n);
const range = (count: number): number[] => [...Array(count).keys()];

/** A service that pages by token: page sizes as given, 0 for an empty page in the middle. */
function tokenPages(count: number, sizes: readonly number[]): FakeScope {
  return fakeScope(({ json }) => {
    const { nextToken, keywordIdFilter } = json as {
      nextToken?: string;
      keywordIdFilter?: { include: string[] };
    };
    const ids = keywordIdFilter?.include ?? range(count).map(idOf);
    const [at = 0, turn = 0] = nextToken?.split("/").map(Number) ?? [];
    const end = at + (sizes[turn % sizes.length] ?? 1);
    const keywords = ids.slice(at, end).map((keywordId) => ({
      keywordId,
      keywordText: "a",
      state: "ENABLED",
    }));
    return { keywords, ...(end < ids.length ? { nextToken: `${end}/${turn + 1}` } : {}) };
  });
}

/** A service that pages by start index and cuts pages at a size of its own. */
function indexPages(count: number, most: number): FakeScope {
  return fakeScope(({ params }) => {
    const { startIndex, count: asked, keywordIdFilter } = params as Record<string, number> & {
      keywordIdFilter?: string[];
    };
    const ids = keywordIdFilter?.map(Number) ?? range(count).map((n) => Number(idOf(n)));
    return ids.slice(startIndex, startIndex! + Math.min(asked!, most)).map((keywordId) => ({ keywordId }));
  });
}

const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }).filter((all) =>
  all.some((size) => size > 0)
);

Deno.test("paging yields each entity once, in order, for any page sizes, empty pages among them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), sizes, async (count, pages) => {
      const { keywords } = new SponsoredProducts(tokenPages(count, pages));
      const found = await keywords.list();
      deepEqual(found.map(({ keywordId }) => keywordId), range(count).map(idOf));
    }),
    { numRuns: 60 },
  );
});

Deno.test("paging by start index yields each entity once, wherever the platform cuts its pages", async () => {
  const limit = fc.integer({ min: 1, max: 20 });
  await fc.assert(
    fc.asyncProperty(fc.nat(60), limit, limit, async (count, most, pageSize) => {
      const { keywords } = new SponsoredBrands(indexPages(count, most));
      const found = await keywords.list({ pageSize });
      deepEqual(found.map(({ keywordId }) => keywordId), range(count).map(idOf));
    }),
    { numRuns: 60 },
  );
});

Deno.test("ids are asked for in parts of at most 1,000, and each entity comes once", async () => {
  const scope = tokenPages(0, [400]);
  const ids = range(2_300).map(idOf);
  const found = await new SponsoredProducts(scope).keywords.getMany(ids);
  deepEqual([...found.keys()], ids);
  const parts = scope.requests.map(({ json }) =>
    (json as { keywordIdFilter: { include: string[] } }).keywordIdFilter
  );
  equal(Math.max(...parts.map(({ include }) => include.length)), 1_000);
});

Deno.test("ids of Brands keywords are asked for in parts of 100, without a request for an end that is known", async () => {
  const scope = indexPages(0, 500);
  const found = await new SponsoredBrands(scope).keywords.getMany(range(250).map(idOf));
  equal(found.size, 250);
  equal(scope.requests.length, 3);
});

Deno.test("a page is fetched only when it is asked for", async () => {
  const scope = tokenPages(10, [2]);
  for await (const { keywordId } of new SponsoredProducts(scope).keywords.iter()) {
    if (keywordId === idOf(3)) break;
  }
  equal(scope.requests.length, 2);
});

Deno.test("maxResults is sent only when the caller asks for smaller pages", async () => {
  const scope = tokenPages(1, [5]);
  const { keywords } = new SponsoredProducts(scope);
  await keywords.list();
  await keywords.list({ pageSize: 50 });
  deepEqual(scope.requests.map(({ json }) => (json as Fields)["maxResults"]), [undefined, 50]);
});

Deno.test("filters beside the named ones reach the request as they are", async () => {
  const scope = tokenPages(1, [5]);
  await new SponsoredProducts(scope).keywords.list({ filters: { matchTypeFilter: ["EXACT"] }, states: null });
  deepEqual(scope.requests[0]!.json, { matchTypeFilter: ["EXACT"] });
});

Deno.test("every list request may be repeated, for it changes nothing", async () => {
  const scope = tokenPages(1, [5]);
  await new SponsoredProducts(scope).keywords.list();
  ok(scope.requests.every(({ idempotent }: ScopeRequest) => idempotent === true));
});

Deno.test("a platform that repeats the same page is found out", async () => {
  for (const keywords of [[], [{ keywordId: "1" }]]) {
    const scope = fakeScope(() => ({ keywords, nextToken: "again" }));
    await rejects(new SponsoredProducts(scope).keywords.list(), /repeats the same page/);
  }
  const scope = fakeScope(() => [{ keywordId: 1 }, { keywordId: 2 }]);
  await rejects(new SponsoredBrands(scope).keywords.list(), /repeats the same page/);
  const renamed = fakeScope((_, turn) => ({ keywords: [{ keywordId: "1" }], nextToken: `token ${turn}` }));
  await rejects(
    new SponsoredProducts(renamed).keywords.list(),
    /Cannot list \/sp\/keywords: .* on page 3, whose next token is "token 3"/,
  );
  equal(renamed.requests.length, 3);
  const empty = fakeScope((_, turn) => ({ keywords: [], nextToken: `token ${turn}` }));
  await rejects(new SponsoredProducts(empty).keywords.list(), /20 pages in a row are empty/);
});

Deno.test("an answer that is no list of Brands keywords is an error, not an empty list", async () => {
  const scope = fakeScope(() => ({ code: "400" }));
  await rejects(new SponsoredBrands(scope).keywords.list(), /the platform's response is not a list/);
});

for (
  const [what, answer] of [
    ["nothing", undefined],
    ["a web page", "<html>hello</html>"],
    ["an object of another kind", { code: "OK" }],
    ["an empty object", {}],
    ["a list", []],
  ] as const
) {
  Deno.test(`${what} in place of a list is an error, not an empty account`, async () => {
    const scope = fakeScope(() => answer);
    await rejects(
      new SponsoredProducts(scope).keywords.list(),
      /the platform's response holds no "keywords"/,
    );
  });
}

Deno.test("a list that is left out because it is empty is an empty list", async () => {
  for (const answer of [{ totalResults: 0 }, { keywords: [] }, { keywords: null, totalResults: 0 }]) {
    deepEqual(await new SponsoredProducts(fakeScope(() => answer)).keywords.list(), []);
  }
});

Deno.test("a filter that an option sets is refused instead of dropped, and nothing is asked", async () => {
  const scope = tokenPages(3, [3]);
  const { keywords } = new SponsoredProducts(scope);
  const stateFilter = { include: ["ARCHIVED"] };
  await rejects(keywords.list({ filters: { stateFilter } }), /by the filter "stateFilter": the options/);
  await rejects(keywords.list({ pageSize: 5, filters: { maxResults: 9 } }), /the filter "maxResults"/);
  const brands = new SponsoredBrands(scope).keywords;
  await rejects(brands.list({ filters: { stateFilter: "archived" } }), /the filter "stateFilter"/);
  await rejects(brands.list({ filters: { count: 9 } }), /the filter "count"/);
  equal(scope.requests.length, 0);
  await keywords.list({ states: null, filters: { stateFilter, matchTypeFilter: ["EXACT"] } });
  deepEqual(scope.requests[0]!.json, { stateFilter, matchTypeFilter: ["EXACT"] });
});

Deno.test("portfolios come in pages of the platform's size, which no request can change", async () => {
  const scope = fakeScope(() => ({ portfolios: [], totalResults: 0 }));
  await KINDS.portfolios.create(scope).list({ pageSize: 5 });
  deepEqual(scope.requests[0]!.json, {});
});

/** How many ids or states each request put into a filter. */
function filterSizes({ requests }: FakeScope, filter: string): number[] {
  return requests.map(({ json }) => (json as Record<string, { include: string[] }>)[filter]!.include.length);
}

Deno.test("each filter is split at the platform's own limit for it", async () => {
  const empty = (): FakeScope =>
    fakeScope(({ path }) => ({ [path.split("/").at(-2)!]: [], nextToken: undefined }));
  const ids = range(250).map(idOf);
  for (const filter of ["campaignIds", "adGroupIds"] as const) {
    const scope = empty();
    await new SponsoredProducts(scope).keywords.list({ [filter]: ids });
    deepEqual(filterSizes(scope, filter.replace(/s$/, "Filter")), [100, 100, 50]);
  }
  for (const filter of ["ids", "campaignIds", "adGroupIds"] as const) {
    const scope = empty();
    await new SponsoredBrands(scope).ads.list({ [filter]: ids.slice(0, 25) });
    const name = filter === "ids" ? "adIdFilter" : filter.replace(/s$/, "Filter");
    deepEqual(filterSizes(scope, name), [10, 10, 5]);
  }
  const scope = empty();
  await KINDS.portfolios.create(scope).list({ states: ["ENABLED", "PAUSED"] });
  deepEqual(filterSizes(scope, "stateFilter"), [1, 1]);
});

Deno.test("tokens that go in a circle are refused, whatever the pages hold", async () => {
  for (const same of [true, false]) {
    const scope = fakeScope((_, turn) => {
      const keywords = [{ keywordId: same ? "1" : String(turn) }];
      return { keywords, nextToken: turn % 2 === 0 ? "c" : "b" };
    });
    await rejects(new SponsoredProducts(scope).keywords.list(), /repeats the same page/);
    equal(scope.requests.length, 3, "b, c, and b again");
  }
});

Deno.test("one token for all pages is a cursor, as long as the pages differ", async () => {
  const scope = fakeScope((_, turn) => ({
    keywords: [{ keywordId: String(turn) }],
    ...(turn < 5 ? { nextToken: "cursor" } : {}),
  }));
  equal((await new SponsoredProducts(scope).keywords.list()).length, 5);
});
