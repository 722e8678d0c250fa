/**
 * A process that serves an account of keywords by their ids, with the campaigns and ad groups that they are in, so that
 * what is measured is the client. Prints its address. Argument: number of keywords.
 */
import { accountKeyword, keywordNumber } from "./account_keyword.ts";

const [total = 100_000] = Deno.args.map(Number);

const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/token") {
    return Response.json({
      access_token: "access.token-".repeat(25),
      token_type: "bearer",
      expires_in: 3600,
    });
  }
  if (pathname === "/v2/profiles") {
    return Response.json([{
      profileId: 1,
      countryCode: "US",
      currencyCode: "USD",
      timezone: "America/Los_Angeles",
      accountInfo: { marketplaceStringId: "M", id: "E", type: "seller", name: "Bench" },
    }]);
  }
  const body = await request.json();
  const page = (collection: string, filter: string, render: (id: string) => string | undefined): Response => {
    const ids: string[] = body[filter]?.include ?? [];
    const list = ids.map(render).filter((text) => text !== undefined);
    return new Response(`{"${collection}":[${list.join(",")}],"totalResults":${list.length}}`, {
      headers: { "content-type": request.headers.get("accept") ?? "application/json" },
    });
  };
  switch (pathname) {
    case "/sp/keywords/list":
      return page("keywords", "keywordIdFilter", (id) => {
        const number = keywordNumber(id);
        return number >= 0 && number < total ? JSON.stringify(accountKeyword(number)) : undefined;
      });
    case "/sp/campaigns/list":
      return page(
        "campaigns",
        "campaignIdFilter",
        (id) =>
          `{"campaignId":"${id}","name":"SP | Boots ${
            id.slice(-4)
          }","state":"ENABLED","targetingType":"MANUAL",` +
          `"startDate":"2026-01-01","budget":{"budget":250,"budgetType":"DAILY"},"dynamicBidding":` +
          `{"strategy":"LEGACY_FOR_SALES","placementBidding":[]}}`,
      );
    case "/sp/adGroups/list":
      return page(
        "adGroups",
        "adGroupIdFilter",
        (id) =>
          `{"adGroupId":"${id}","campaignId":"400000000000000${
            String(Number(id.slice(-4)) % 400).padStart(3, "0")
          }",` +
          `"name":"Group ${id.slice(-4)}","state":"ENABLED","defaultBid":0.4}`,
      );
    default:
      return new Response("{}", { status: 404 });
  }
});
console.log(`http://127.0.0.1:${server.addr.port}`);
