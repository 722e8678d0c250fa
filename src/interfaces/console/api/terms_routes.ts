import { readSearchTerms } from "../../../account/jobs/search_terms.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { isProductTerm } from "../../../client/entities/model/check_keyword_text.ts";
import { REPORT_PRESETS } from "../../../client/reports/requests/presets.ts";
import { ATTRIBUTION_DAYS } from "../../../store/figures/immature_note.ts";
import { ApiProblem } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { marketView } from "../plans/plan_summary.ts";
import { withStore } from "../http/open_store.ts";

const MAX_TERMS = 10_000;
/** Retention of search terms, less one day for time zones. */
const MAX_DAYS = REPORT_PRESETS.sp_search_terms.retentionDays - 1;

export const TERMS_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/profiles/:profile/terms",
    about:
      "Lists the stored search terms of a profile that were clicked, by ad group, those that cost most first",
    takes: { days: `number of days before today, at most ${MAX_DAYS}; 30 when absent` },
    gives:
      `\`terms\` (at most ${MAX_TERMS}, \`count\` of all) with their ad groups, figures and \`is_product\`, \`period\`, \`immature_from\` (clicks from this day on may still lead to orders; find_waste and plan negatives leave them out), \`currency\`, \`decimals\``,
    run: terms,
  },
];

async function terms({ context, params, query }: ApiCall): Promise<unknown> {
  const days = Number(query["days"] ?? 30);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new ApiProblem(
      400,
      "BAD_REQUEST",
      `Cannot list search terms: "days" is not a whole number from 1 to ${MAX_DAYS}`,
    );
  }
  const { profileId, countryCode, timeZone } = await context.ads.profile(params["profile"] ?? "");
  const today = dayIn(timeZone, context.now());
  const end = addDays(today, -1);
  const period = { start: addDays(end, 1 - days), end };
  const found = await withStore(
    context,
    (store) => readSearchTerms(store, { profileId, days: period, minClicks: 1 }),
  );
  return {
    ...marketView(countryCode),
    period,
    immature_from: addDays(today, -ATTRIBUTION_DAYS),
    count: found.length,
    terms: found.slice(0, MAX_TERMS).map((one) => ({
      term: one.searchTerm,
      is_product: isProductTerm(one.searchTerm),
      ad_group: one.adGroupId,
      ad_group_name: one.adGroupName,
      campaign: one.campaignId,
      campaign_name: one.campaignName,
      clicks: one.clicks,
      cost: one.cost,
      orders: one.orders,
      sales: one.sales,
    })),
  };
}
