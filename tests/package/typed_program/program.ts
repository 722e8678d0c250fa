/** Compiled by TypeScript itself against the declarations in the tarball; each mark must be an error, else tsc objects. */
import { type ChangePlan, PlatformAds } from "@platform/ads";
import type { SponsoredDisplay } from "@platform/ads/schemas";
import type { Keyword } from "@platform/ads/sp";
import { catalog, type Operation } from "@platform/ads/catalog";
import { Emulator } from "@platform/ads/emulator";
import { type Coverage, Warehouse } from "@platform/ads/store";

const emulator: Emulator = await Emulator.start();
const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
const canada = await ads.profile("CA");

const keywords: Keyword[] = await canada.sp.keywords.list({ states: ["ENABLED"] });
const bid: number | undefined = keywords[0]?.bid;
const plan: ChangePlan = await canada.sp.keywords.planUpdate([{ keywordId: "1", bid: bid ?? 1 }]);
const fingerprint: string = plan.fingerprint;
const operation: Operation = await catalog.get("sponsored-brands-v4:ListSponsoredBrandsCampaigns");
const coverage: Coverage[] = await (await Warehouse.open("ads.sqlite")).coverage();
const displayCalls = canada.typed<SponsoredDisplay.Operations>();
const campaigns = await displayCalls.call("sponsored-display:listCampaigns", undefined, {
  query: { count: 5 },
});
const [row] = await canada.reports.run("sp_targeting", "2026-11-01", "2026-11-07");
const spent: number = row?.cost ?? 0;
const text: string = row?.keyword ?? "";
const unknownName: string = "sp-targeting";
const value = (await canada.reports.run(unknownName, "2026-11-01", "2026-11-07"))[0]?.["clicks"];
const campaignName: string | undefined = campaigns[0]?.name;

// @ts-expect-error an id is a string
const id: number = keywords[0]!.keywordId;
// @ts-expect-error a state is a text
await canada.sp.keywords.list({ states: [1] });
// @ts-expect-error a bid is a number
await canada.sp.keywords.planUpdate([{ keywordId: "1", bid: "0.5" }]);
// @ts-expect-error an operation with placeholders in its path wants them
await canada.call("posts:GetPost");
// @ts-expect-error no such query parameter
await displayCalls.call("sponsored-display:listCampaigns", undefined, { query: { cuont: 5 } });
// @ts-expect-error an id in a row is a text
const keywordId: number | null | undefined = row?.keywordId;
// @ts-expect-error no such column of the preset
row?.searchTerm;

export { campaignName, coverage, fingerprint, id, keywordId, operation, spent, text, value };
