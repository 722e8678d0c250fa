/**
 * A process that serves pages of keywords and takes updates of as many, all rendered beforehand, so that what is measured is the
 * client. Prints its address. Arguments: number of keywords, keywords a page.
 */
const [total = 100_000, perPage = 1000] = Deno.args.map(Number);
const type = "application/vnd.spKeyword.v3+json";

function keyword(number: number) {
  return {
    keywordId: String(281_474_976_710_656_000n + BigInt(number * 7919)),
    campaignId: String(400_000_000_000_000_000n + BigInt(number % 400)),
    adGroupId: String(500_000_000_000_000_000n + BigInt(number % 4000)),
    state: number % 5 === 0 ? "PAUSED" : "ENABLED",
    keywordText: `waterproof hiking boots ${number}`,
    matchType: ["EXACT", "PHRASE", "BROAD"][number % 3],
    bid: (20 + number % 300) / 100,
  };
}

/** The same keyword as the unified family shows it. */
function target(number: number) {
  const { keywordId, keywordText, matchType, bid, ...others } = keyword(number);
  return {
    ...others,
    targetId: keywordId,
    adProduct: "SPONSORED_PRODUCTS",
    negative: false,
    targetLevel: "AD_GROUP",
    targetType: "KEYWORD",
    targetDetails: { keywordTarget: { keyword: keywordText, matchType } },
    bid: { bid, currencyCode: "USD" },
    marketplaceScope: "SINGLE_MARKETPLACE",
    marketplaces: ["US"],
    status: { deliveryStatus: "DELIVERING" },
    creationDateTime: "2026-01-01T00:00:00.000Z",
    lastUpdatedDateTime: "2026-01-01T00:00:00.000Z",
  };
}

function pagesOf(name: string, make: (number: number) => unknown): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: Math.ceil(total / perPage) }, (_, page) => {
    const count = Math.min(perPage, total - page * perPage);
    const list = Array.from({ length: count }, (_, index) => make(page * perPage + index));
    const more = (page + 1) * perPage < total ? { nextToken: `page-${page + 1}` } : {};
    return new TextEncoder().encode(JSON.stringify({ [name]: list, totalResults: total, ...more }));
  });
}

const pages = pagesOf("keywords", keyword);
const targets = pagesOf("targets", target);

/** The verdicts of the unified family on an update of as many keywords as a page has. */
const targetVerdicts = new TextEncoder().encode(JSON.stringify({
  success: Array.from({ length: perPage }, (_, index) => ({ index, target: target(index) })),
  error: [],
}));

/** The verdicts on an update of as many keywords as a page has. */
const verdicts = new TextEncoder().encode(JSON.stringify({
  keywords: {
    success: Array.from(
      { length: perPage },
      (_, index) => ({ index, keywordId: String(281_474_976_710_656_000n + BigInt(index * 7919)) }),
    ),
    error: [],
  },
}));

const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
  if (request.url.endsWith("/token")) {
    return Response.json({
      access_token: "access.token-".repeat(25),
      token_type: "bearer",
      expires_in: 3600,
    });
  }
  if (request.method === "PUT") {
    await request.arrayBuffer();
    return new Response(verdicts, { status: 207, headers: { "content-type": type } });
  }
  if (request.url.endsWith("/adsApi/v1/update/targets")) {
    await request.arrayBuffer();
    return new Response(targetVerdicts, { status: 207, headers: { "content-type": "application/json" } });
  }
  const lists = request.url.endsWith("/adsApi/v1/query/targets") ? targets : pages;
  const page = /"nextToken":"page-(\d+)"/.exec(await request.text())?.[1] ?? "0";
  return new Response(lists[Number(page)], { headers: { "content-type": type } });
});
console.log(`http://127.0.0.1:${server.addr.port}`);
