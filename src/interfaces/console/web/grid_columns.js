// @ts-check

/** @type {[table: string, word: string][]} */
export const TABLES = [
  ["campaigns", "Campaigns"], ["ad_groups", "Ad groups"], ["keywords", "Keywords"], ["targets", "Targets"],
  ["negatives", "Negatives"], ["ads", "Ads"], ["portfolios", "Portfolios"],
];

/**
 * @typedef {"text" | "state" | "money" | "date" | "count" | "share" | "ratio" | "percent" | "portfolio"} ColumnType
 * @typedef {{ key: string, title: string, type: ColumnType, width: number, figure?: boolean, names?: Record<string, string> }} GridColumn
 */

/** @type {GridColumn[]} */
const COLUMNS = [
  { key: "name", title: "Name", type: "text", width: 226 },
  { key: "market", title: "Profile", type: "text", width: 132 },
  { key: "decision", title: "Decision", type: "text", width: 84 },
  { key: "op", title: "Change", type: "text", width: 76 },
  { key: "campaign", title: "Campaign", type: "text", width: 190 },
  { key: "ad_group", title: "Ad group", type: "text", width: 160 },
  { key: "portfolio", title: "Portfolio", type: "portfolio", width: 150 },
  { key: "kind", title: "Kind", type: "text", width: 176 },
  { key: "id", title: "Id", type: "text", width: 140 },
  { key: "match", title: "Type", type: "text", width: 104 },
  { key: "state", title: "State", type: "state", width: 86 },
  { key: "budget", title: "Budget", type: "money", width: 112 },
  { key: "bid", title: "Bid", type: "money", width: 100 },
  { key: "top", title: "Top of search", type: "percent", width: 104 },
  { key: "rest", title: "Rest of search", type: "percent", width: 108 },
  { key: "product", title: "Product pages", type: "percent", width: 108 },
  { key: "start", title: "Start", type: "date", width: 108 },
  { key: "end", title: "End", type: "date", width: 108 },
  { key: "other", title: "Other fields", type: "text", width: 260 },
  { key: "why", title: "Reason", type: "text", width: 260 },
  { key: "impressions", title: "Impr.", type: "count", width: 74, figure: true },
  { key: "clicks", title: "Clicks", type: "count", width: 62, figure: true },
  { key: "ctr", title: "CTR", type: "share", width: 72, figure: true },
  { key: "cost", title: "Spend", type: "money", width: 82, figure: true },
  { key: "sales", title: "Sales", type: "money", width: 88, figure: true },
  { key: "orders", title: "Orders", type: "count", width: 60, figure: true },
  { key: "cvr", title: "CVR", type: "share", width: 72, figure: true },
  { key: "acos", title: "ACOS", type: "share", width: 70, figure: true },
  { key: "roas", title: "ROAS", type: "ratio", width: 66, figure: true },
];

const FIGURES = ["impressions", "clicks", "cost", "sales", "orders", "acos"];

/** @type {Record<string, { all: string[], first: string[] }>} */
const SHOWN = {
  campaigns: settings(["kind", "match", "portfolio", "top", "rest", "product", "start", "end"], ["state", "budget"]),
  ad_groups: settings(["kind"], ["campaign", "state", "bid"]),
  keywords: settings(["kind", "ad_group"], ["campaign", "match", "state", "bid"]),
  targets: settings(["kind", "ad_group"], ["campaign", "state", "bid"]),
  negatives: settings(["state"], ["kind", "match", "campaign", "ad_group"], false),
  ads: settings(["kind"], ["campaign", "ad_group", "state"]),
  portfolios: settings([], ["state", "budget"], false),
  plan: settings(["kind"], ["decision", "op", "campaign", "ad_group", "state", "budget", "bid", "portfolio", "top", "rest", "product", "start", "end", "other", "why"]),
};

/**
 * @param {string[]} more
 * @param {string[]} first
 * @param {boolean} [figures]
 */
function settings(more, first, figures = true) {
  const own = ["name", ...first, ...figures ? FIGURES : []];
  return { first: own, all: [...own, "id", ...more, ...figures ? ["ctr", "cvr", "roas"] : []] };
}

/**
 * Every column that a table can show, in one order.
 *
 * @param {string} table
 */
export function columnsOf(table) {
  const { all = [] } = SHOWN[table] ?? {};
  return COLUMNS.filter(({ key }) => all.includes(key));
}

/**
 * The columns that are shown: those of the address, or those at first. The name always is.
 *
 * @param {string} table
 * @param {string} chosen keys with commas; empty for those at first
 * @param {boolean} [isSeveral] rows of several profiles, which have a column for these
 */
export function shownColumns(table, chosen, isSeveral = false) {
  const keys = chosen === "" ? SHOWN[table]?.first ?? [] : ["name", ...chosen.split(",")];
  const { all = [] } = SHOWN[table] ?? {};
  return COLUMNS.filter(({ key }) => key === "market" ? isSeveral : keys.includes(key) && all.includes(key));
}

/**
 * Columns without those that are empty in every row of a plan.
 *
 * @param {GridColumn[]} columns
 * @param {any[]} rows
 */
export function filledColumns(columns, rows) {
  return columns.filter(({ key }) => key === "decision" || rows.some((row) => row[key] !== undefined || row.fields?.[key] !== undefined));
}

/**
 * A row with what follows from its figures, and the names of what it belongs to.
 *
 * @param {any} row
 * @param {{ campaigns: Record<string, string>, ad_groups: Record<string, string>, portfolios: Record<string, string> }} names
 */
export function wholeRow(row, names) {
  return {
    ...row,
    ...ratios(row),
    key: `${row.kind} ${row.id}`,
    campaign: names.campaigns[row.campaign_id] ?? row.campaign_id,
    ad_group: names.ad_groups[row.ad_group_id] ?? row.ad_group_id,
    portfolio_name: names.portfolios[row.portfolio] ?? row.portfolio,
  };
}

/** @param {any} figures */
function ratios({ impressions, clicks, cost, sales, orders }) {
  const share = (/** @type {unknown} */ part, /** @type {unknown} */ all) =>
    typeof part === "number" && typeof all === "number" && all > 0 ? part / all : undefined;
  return { ctr: share(clicks, impressions), cvr: share(orders, clicks), acos: share(cost, sales), roas: share(sales, cost) };
}

/**
 * Sums of rows: amounts and counts are added up, shares follow from these. Rows without figures are counted.
 *
 * @param {any[]} rows
 * @returns {Record<string, number | undefined> & { known: number }}
 */
export function sumsOf(rows) {
  /** @type {Record<string, any>} */
  const sums = {};
  let known = 0;
  for (const row of rows) {
    if (row.cost !== undefined) known += 1;
    for (const key of ["impressions", "clicks", "cost", "sales", "orders"]) {
      if (row[key] !== undefined) sums[key] = (sums[key] ?? 0) + row[key];
    }
  }
  return { ...sums, ...ratios(sums), known };
}

/**
 * Sums of rows by currency, in the order of the rows.
 *
 * @param {any[]} rows
 * @returns {(ReturnType<typeof sumsOf> & { currency: string, decimals: number, count: number })[]} at least one
 */
export function sumsByCurrency(rows) {
  const groups = Map.groupBy(rows, ({ currency = "" }) => currency);
  if (groups.size === 0) groups.set("", []);
  return [...groups].map(([currency, own]) => /** @type {any} */ ({ ...sumsOf(own), currency, decimals: own[0]?.decimals ?? 2, count: own.length }));
}

/**
 * The rows that a view lets through, in its order. Values are those of the account, so that no row moves while it is edited.
 *
 * @param {any[]} rows
 * @param {{ q?: string, state?: string, campaign?: string, where?: string, sort?: string, portfolio?: string }} view
 * @param {(row: any) => boolean} [only]
 */
export function viewRows(rows, { q = "", state = "", campaign = "", where = "", sort = "" }, only = () => true) {
  const text = q.trim().toLowerCase();
  const meets = figureTest(where);
  const found = rows.filter((row) =>
    (state === "" || row.state === state) && (campaign === "" || row.campaign_id === campaign || row.id === campaign) && meets(row) &&
    (text === "" || `${row.name} ${row.id} ${row.campaign ?? ""} ${row.ad_group ?? ""}`.toLowerCase().includes(text)) && only(row)
  );
  if (sort === "") return found;
  const [word, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const key = word === "portfolio" ? "portfolio_name" : word;
  const isMoney = COLUMNS.some((one) => one.key === key && one.type === "money");
  // What is not known comes last, whatever the order.
  return found.sort((a, b) => {
    const [one, other] = [a[key], b[key]];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    // Amounts of two currencies have no order.
    if (isMoney && a.currency !== b.currency) return String(a.currency).localeCompare(String(b.currency));
    return sign * (typeof one === "number" ? one - other : String(one).localeCompare(String(other)));
  });
}

/**
 * True for a row with a label, or in a campaign or ad group with it.
 *
 * @param {{ campaigns: ReadonlySet<string>, ad_groups: ReadonlySet<string> }} label
 */
export function hasLabel({ campaigns, ad_groups: adGroups }) {
  return (/** @type {any} */ { kind, id, campaign_id: campaign, ad_group_id: adGroup }) =>
    campaigns.has(kind.endsWith(".campaigns") ? id : campaign) || adGroups.has(kind.endsWith(".ad_groups") ? id : adGroup);
}

/**
 * Filters such as `acos > 30 and clicks > 10`, where shares are percent; `undefined` if one of them cannot be read.
 *
 * @param {string} where
 * @returns {{ key: string, sign: string, value: number }[] | undefined}
 */
export function figureFilters(where) {
  const found = where.split(/,|\band\b/i).map(figureFilter);
  return found.every((one) => one !== undefined) ? found : undefined;
}

/** @param {string} where @returns {{ key: string, sign: string, value: number } | undefined} */
function figureFilter(where) {
  const [, word = "", sign = "", number = ""] = /^\s*(\w+)\s*([<>])\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(where) ?? [];
  const name = word.toLowerCase();
  const column = COLUMNS.find(({ key, title, type }) => !["text", "state", "date", "portfolio"].includes(type) && [key, title.toLowerCase()].includes(name));
  if (column === undefined) return undefined;
  return { key: column.key, sign, value: column.type === "share" ? Number(number) / 100 : Number(number) };
}

/** @param {string} where */
function figureTest(where) {
  const filters = figureFilters(where);
  if (filters === undefined) return () => true;
  return (/** @type {any} */ row) => filters.every(({ key, sign, value }) => row[key] !== undefined && (sign === ">" ? row[key] > value : row[key] < value));
}
