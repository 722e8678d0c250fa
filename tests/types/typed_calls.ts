/**
 * Compile-only: `deno check` reads this file, nothing runs it. Each `@ts-expect-error` fails the check when the line
 * below it compiles after all.
 */
import type { SponsoredDisplay, SponsoredProducts } from "@platform/ads/schemas";
import type { ProfileClient } from "../../mod.ts";

declare const us: ProfileClient;

/** Lines that must compile. */
export async function accepted(): Promise<void> {
  const display = us.typed<SponsoredDisplay.Operations & SponsoredProducts.Operations>();
  const campaigns = await display.call("sponsored-display:listCampaigns", undefined, { query: { count: 5 } });
  const name: string | undefined = campaigns[0]?.name;
  const one = await display.call("sponsored-display:getCampaign", undefined, {
    pathParams: { campaignId: 1 },
  });
  await display.call("sponsored-products:UpdateSponsoredProductsKeywords", {
    keywords: [{ keywordId: "1", bid: 0.5, state: "A_STATE_THAT_IS_NEW" }],
  }, { check: "strict" });
  console.log(name, one.budget);
}

/** Lines that must not compile. */
export async function refused(): Promise<void> {
  const display = us.typed<SponsoredDisplay.Operations & SponsoredProducts.Operations>();
  // @ts-expect-error no such query parameter
  await display.call("sponsored-display:listCampaigns", undefined, { query: { cuont: 5 } });
  // @ts-expect-error the path has a placeholder
  await display.call("sponsored-display:getCampaign");
  await display.call("sponsored-products:UpdateSponsoredProductsKeywords", {
    // @ts-expect-error a wrong field
    keywords: [{ keywordId: "1", bidd: 0.5 }],
  });
  await display.call("sponsored-products:UpdateSponsoredProductsKeywords", {
    // @ts-expect-error a field of a wrong type
    keywords: [{ keywordId: "1", bid: "0.5" }],
  });
  // @ts-expect-error the body is required
  await display.call("sponsored-products:UpdateSponsoredProductsKeywords");
  // @ts-expect-error an operation of another API
  await display.call("portfolios:ListPortfolios", {});
  const campaigns = await display.call("sponsored-display:listCampaigns");
  // @ts-expect-error no such field
  campaigns[0]?.nmae;
}
