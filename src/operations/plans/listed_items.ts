import { fieldsOf } from "../../base/json/fields_of.ts";
import { isProductTerm } from "../../client/entities/model/check_keyword_text.ts";

export const LISTED_TABLES = ["keywords", "targets", "negatives"] as const;

type ListedTable = typeof LISTED_TABLES[number];

/** Item of the operation `plan create`. */
type NewItem = Readonly<Record<string, unknown>>;

interface NewLine {
  readonly text: string;
  readonly match: string;
  readonly bid: number | undefined;
}

/**
 * Builds the items of new rows; an ASIN becomes a product target.
 *
 * @throws {RangeError} naming every invalid line.
 */
export function newItems(
  table: ListedTable,
  lines: readonly unknown[],
  place: { readonly campaignId: string; readonly adGroupId: string },
): NewItem[] {
  return itemsOf(lines, (given) => {
    const line = lineOf(given);
    const problem = line === undefined ? "it is not { text, match, bid }" : problemOf(table, line);
    return problem ?? (line === undefined ? [] : [itemOf(table, line, place)]);
  });
}

/**
 * Builds the items of all lines.
 *
 * @param read Gives the items of a line, or why it cannot be used.
 * @throws {RangeError} that names every line that cannot be used.
 */
function itemsOf(lines: readonly unknown[], read: (line: unknown) => NewItem[] | string): NewItem[] {
  const problems: string[] = [];
  const items = lines.flatMap((given, at) => {
    const found = read(given);
    if (typeof found !== "string") return found;
    const { line = at + 1 } = fieldsOf(given);
    problems.push(`line ${line}: ${found}`);
    return [];
  });
  if (problems.length > 0) throw new RangeError(`Cannot add this list: ${problems.slice(0, 20).join("; ")}`);
  if (items.length === 0) throw new RangeError("Cannot add this list: it is empty");
  return items;
}

function lineOf(given: unknown): NewLine | undefined {
  const { text, match = "exact", bid } = fieldsOf(given);
  if (typeof text !== "string" || text.trim() === "" || typeof match !== "string") return undefined;
  if (bid !== undefined && typeof bid !== "number") return undefined;
  return { text: text.trim(), match: match.toLowerCase(), bid };
}

const MATCHES: Readonly<Record<ListedTable, readonly string[]>> = {
  keywords: ["exact", "phrase", "broad"],
  targets: ["exact"],
  negatives: ["exact", "phrase"],
};

function problemOf(table: ListedTable, { text, match, bid }: NewLine): string | undefined {
  if (!MATCHES[table].includes(match)) return `"${match}" is not ${MATCHES[table].join(" or ")}`;
  if (table === "targets" && !isProductTerm(text)) return `"${text}" is not an ASIN`;
  if (table === "negatives" && bid !== undefined) return "a negative has no bid";
  return undefined;
}

function itemOf(
  table: ListedTable,
  { text, match, bid }: NewLine,
  place: { readonly campaignId: string; readonly adGroupId: string },
): NewItem {
  const isNegative = table === "negatives";
  const common = { ...place, state: "ENABLED", ...(bid === undefined ? {} : { bid }) };
  if (isProductTerm(text)) {
    const expression = [{ type: "ASIN_SAME_AS", value: text.toUpperCase() }];
    return isNegative
      ? { entity: "negative-targets", ...common, expression }
      : { entity: "targets", ...common, expression, expressionType: "MANUAL" };
  }
  return {
    entity: isNegative ? "negative-keywords" : "keywords",
    ...common,
    keywordText: text,
    matchType: `${isNegative ? "NEGATIVE_" : ""}${match.toUpperCase()}`,
  };
}

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
