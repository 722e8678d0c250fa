import { fieldsOf } from "../../../base/json/fields_of.ts";
import { itemsOf, type NewItem } from "./new_rows.ts";

/**
 * Builds the `plan create` items for a list of Sponsored Products campaigns. A campaign with a bid also gets an ad
 * group with the same name.
 *
 * @throws {RangeError} that names every line that cannot be used.
 */
export function newCampaigns(lines: readonly unknown[]): NewItem[] {
  let count = 0;
  return itemsOf(lines, (line) => {
    const { name, budget, targeting = "MANUAL", bid, state = "PAUSED", start, end, portfolio } = fieldsOf(
      line,
    );
    if (typeof name !== "string" || name.trim() === "") return "the name is missing";
    if (!isAmount(budget)) return "the budget is not an amount above 0";
    if (bid !== undefined && !isAmount(bid)) return "the bid is not an amount above 0";
    if (targeting !== "AUTO" && targeting !== "MANUAL") return "the targeting is not AUTO or MANUAL";
    if (state !== "ENABLED" && state !== "PAUSED") return "the state is not ENABLED or PAUSED";
    const days = { startDate: start, endDate: end, portfolioId: portfolio };
    const known = Object.entries(days).filter(([, value]) => value !== undefined && value !== null);
    const wrong = known.find(([, value]) => typeof value !== "string");
    if (wrong !== undefined) return `the ${wrong[0]} is not a text`;
    const as = `campaign-${count += 1}`;
    const campaign = { entity: "campaigns", as, name: name.trim(), budget, targetingType: targeting, state };
    const items: NewItem[] = [{ ...campaign, ...Object.fromEntries(known) }];
    if (bid === undefined) return items;
    const adGroup = { name: name.trim(), defaultBid: bid, state: "ENABLED" };
    return [...items, { entity: "ad-groups", campaignId: { ref: as }, ...adGroup }];
  });
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
