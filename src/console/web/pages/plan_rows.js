// @ts-check
/** The rows of a plan's table: its campaigns, the fields of their changes, and what was found about them. */

/**
 * @typedef {{ type: "campaign", key: string, campaign: any, changes: any[], folded: boolean }} CampaignRow
 * @typedef {{ type: "field", key: string, change: any, field: any, first: boolean }} FieldRow
 * @typedef {{ type: "finding", key: string, change: any, finding: any }} FindingRow
 * @typedef {CampaignRow | FieldRow | FindingRow} PlanRow
 * @typedef {{ search: string, op: string, only: string, sort: string }} Filter
 */

/**
 * The changes that a filter lets through, as rows, campaign by campaign.
 *
 * @param {any[]} campaigns of the plan, the most important first
 * @param {Filter} filter
 * @param {ReadonlySet<string>} folded keys of the campaigns that are folded
 * @param {ReadonlyMap<number, any[]>} findings by position of the change
 * @returns {PlanRow[]}
 */
export function planRows(campaigns, filter, folded, findings) {
  const sorted = [...campaigns];
  if (filter.sort === "name") {
    sorted.sort((a, b) => (a.campaign_name ?? "").localeCompare(b.campaign_name ?? ""));
  }
  /** @type {PlanRow[]} */
  const rows = [];
  for (const campaign of sorted) {
    const changes = campaign.changes.filter((/** @type {any} */ change) => passes(change, campaign, filter, findings));
    if (changes.length === 0) continue;
    if (filter.sort === "raise") changes.sort(by((change) => -largest(change)));
    if (filter.sort === "cut") changes.sort(by((change) => smallest(change)));
    const key = campaignKey(campaign);
    rows.push({ type: "campaign", key: `campaign ${key}`, campaign, changes, folded: folded.has(key) });
    if (folded.has(key)) continue;
    for (const change of changes) {
      const fields = change.fields.length > 0 ? change.fields : [{ field: "", before: null, after: null }];
      fields.forEach((/** @type {any} */ field, /** @type {number} */ at) =>
        rows.push({ type: "field", key: `${change.change} ${field.field}`, change, field, first: at === 0 })
      );
      (findings.get(change.change) ?? []).forEach((finding, at) =>
        rows.push({ type: "finding", key: `${change.change} finding ${at}`, change, finding })
      );
    }
  }
  return rows;
}

/** @param {any} campaign */
export function campaignKey(campaign) {
  return campaign.campaign_id ?? `ref ${campaign.campaign_ref ?? ""}`;
}

/**
 * @param {any} change
 * @param {any} campaign
 * @param {Filter} filter
 * @param {ReadonlyMap<number, any[]>} findings
 */
function passes(change, campaign, { search, op, only }, findings) {
  if (op !== "" && change.op !== op) return false;
  if (only === "findings" && !findings.has(change.change)) return false;
  if (search === "") return true;
  const text = `${change.label} ${change.kind} ${change.id ?? ""} ${campaign.campaign_name ?? ""} ${
    campaign.campaign_id ?? ""
  } ${change.fields.map((/** @type {any} */ { field }) => field).join(" ")}`;
  return text.toLowerCase().includes(search.toLowerCase());
}

/** @param {any} change */
function largest(change) {
  return Math.max(-Infinity, ...change.fields.map((/** @type {any} */ { percent }) => percent ?? -Infinity));
}

/** @param {any} change */
function smallest(change) {
  return Math.min(Infinity, ...change.fields.map((/** @type {any} */ { percent }) => percent ?? Infinity));
}

/** @param {(change: any) => number} value */
function by(value) {
  return (/** @type {any} */ a, /** @type {any} */ b) => {
    const [one, other] = [value(a), value(b)];
    return one === other ? 0 : one < other ? -1 : 1;
  };
}
