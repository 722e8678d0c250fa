/**
 * A process that serves so many keywords as pages, by their ids and as an export, all rendered beforehand, so that what
 * is measured is the client. Prints its address. `POST /night` changes the bid of every hundredth keyword.
 */
import { gzipSync } from "node:zlib";

const [total = 100_000] = Deno.args.map(Number);
const PER_PAGE = 1000;
const TYPE = "application/vnd.spKeyword.v3+json";
const text = new TextEncoder();
const EMPTY = new Uint8Array(gzipSync("[]"));

interface Keyword extends Record<string, unknown> {
  readonly keywordId: string;
}

let keywords = keywordsWith(0);
let rendered = render();

const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: () => {},
}, async (request) => {
  const { pathname } = new URL(request.url);
  const body = request.method === "POST" ? await request.text() : "";
  if (pathname === "/token") {
    return Response.json({ access_token: "access.token", token_type: "bearer", expires_in: 3600 });
  }
  if (pathname === "/night") {
    keywords = keywordsWith(1);
    rendered = render();
    return new Response();
  }
  const file = /^\/(?:exports|files)\/(\w+)$/.exec(pathname)?.[1];
  if (pathname.startsWith("/files/")) {
    return new Response(file === "targets" ? rendered.file : EMPTY);
  }
  const entity = file ?? /^\/(\w+)\/export$/.exec(pathname)?.[1];
  if (entity !== undefined) {
    const url = `http://127.0.0.1:${server.addr.port}/files/${entity}`;
    return Response.json({
      exportId: entity,
      ...file === undefined ? { status: "PROCESSING" } : { status: "COMPLETED", url },
    });
  }
  if (request.method === "GET") return Response.json([]);
  if (pathname !== "/sp/keywords/list") return Response.json({ totalResults: 0 });
  const { keywordIdFilter, nextToken = "0" } = JSON.parse(body);
  const headers = { "content-type": TYPE };
  if (keywordIdFilter === undefined) return new Response(rendered.pages[Number(nextToken)], { headers });
  const wanted = new Set<string>(keywordIdFilter.include);
  const found = keywords.filter(({ keywordId }) => wanted.has(keywordId));
  return new Response(JSON.stringify({ keywords: found, totalResults: found.length }), { headers });
});
console.log(`http://127.0.0.1:${server.addr.port}`);

function keywordsWith(night: number): Keyword[] {
  return Array.from({ length: total }, (_, number) => ({
    keywordId: String(281_474_976_710_656_000n + BigInt(number * 7919)),
    campaignId: String(400_000_000_000_000_000n + BigInt(number % 400)),
    adGroupId: String(500_000_000_000_000_000n + BigInt(number % 4000)),
    state: number % 5 === 0 ? "PAUSED" : "ENABLED",
    keywordText: `waterproof hiking boots ${number}`,
    matchType: ["EXACT", "PHRASE", "BROAD"][number % 3],
    bid: (20 + number % 300) / 100 + (number % 100 === 0 ? night : 0),
  }));
}

function render(): { pages: Uint8Array<ArrayBuffer>[]; file: Uint8Array<ArrayBuffer> } {
  const pages = Array.from({ length: Math.ceil(total / PER_PAGE) }, (_, page) => {
    const next = (page + 1) * PER_PAGE < total ? { nextToken: String(page + 1) } : {};
    const shown = keywords.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
    return text.encode(JSON.stringify({ keywords: shown, totalResults: total, ...next }));
  });
  const rows = keywords.map(({ keywordId, campaignId, adGroupId, state, keywordText, matchType, bid }) => ({
    targetId: keywordId,
    campaignId,
    adGroupId,
    adProduct: "SPONSORED_PRODUCTS",
    state,
    negative: false,
    targetType: "KEYWORD",
    targetLevel: "AD_GROUP",
    targetDetails: { matchType, keyword: keywordText },
    bid: { bid, currencyCode: "USD" },
    deliveryStatus: "DELIVERING",
    deliveryReasons: ["OTHER"],
    creationDateTime: "2026-01-15T08:00:00.000Z",
    lastUpdatedDateTime: "2026-01-15T08:00:00.000Z",
  }));
  return { pages, file: new Uint8Array(gzipSync(JSON.stringify(rows))) };
}
