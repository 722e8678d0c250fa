/**
 * A process that serves pages of keywords and takes updates of as many, all rendered beforehand, so that what is measured is the
 * client. Prints its address. Arguments: number of keywords, keywords a page.
 */
const [total = 100_000, perPage = 1000] = Deno.args.map(Number);
const type = "application/vnd.spKeyword.v3+json";

const pages = Array.from({ length: Math.ceil(total / perPage) }, (_, page) => {
  const keywords = Array.from({ length: Math.min(perPage, total - page * perPage) }, (_, index) => {
    const number = page * perPage + index;
    return {
      keywordId: String(281_474_976_710_656_000n + BigInt(number * 7919)),
      campaignId: String(400_000_000_000_000_000n + BigInt(number % 400)),
      adGroupId: String(500_000_000_000_000_000n + BigInt(number % 4000)),
      state: number % 5 === 0 ? "PAUSED" : "ENABLED",
      keywordText: `waterproof hiking boots ${number}`,
      matchType: ["EXACT", "PHRASE", "BROAD"][number % 3],
      bid: (20 + number % 300) / 100,
    };
  });
  const more = (page + 1) * perPage < total ? { nextToken: `page-${page + 1}` } : {};
  return new TextEncoder().encode(JSON.stringify({ keywords, totalResults: total, ...more }));
});

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
  const page = /"nextToken":"page-(\d+)"/.exec(await request.text())?.[1] ?? "0";
  return new Response(pages[Number(page)], { headers: { "content-type": type } });
});
console.log(`http://127.0.0.1:${server.addr.port}`);
