// @ts-check

/**
 * @typedef {{ type: "campaign", key: string, campaign: any, changes: any[], folded: boolean, sums: Sums }} CampaignRow
 * @typedef {{ type: "field", key: string, change: any, field: any, first: boolean }} FieldRow
 * @typedef {{ type: "detail", key: string, change: any, findings: any[] }} DetailRow
 * @typedef {CampaignRow | FieldRow | DetailRow} PlanRow
 * @typedef {{ search: string, op: string, only: string, sort: string }} Filter
 * @typedef {{ clicks?: number, cost?: number, orders?: number, acos?: number }} Sums
 */

/**
 * The changes that a filter lets through, as rows, campaign by campaign.
 *
 * @param {any[]} campaigns of the plan, the most important first
 * @param {Filter} filter `only`: a group of findings, `findings` for any, `sent` and `out` for what is sent and left out
 * @param {{ folded: ReadonlySet<string>, unfolded?: ReadonlySet<number>, findings: ReadonlyMap<number, any[]>, out?: ReadonlySet<number>, group?: ReadonlySet<number> | undefined }} parts
 *   `group`: positions of the changes of the group that is chosen
 * @returns {PlanRow[]}
 */
export function planRows(campaigns, filter, { folded, unfolded = new Set(), findings, out = new Set(), group }) {
  const sorted = [...campaigns];
  if (filter.sort === "name") {
    sorted.sort((a, b) => (a.campaign_name ?? "").localeCompare(b.campaign_name ?? ""));
  }
  /** @type {PlanRow[]} */
  const rows = [];
  for (const campaign of sorted) {
    const changes = campaign.changes.filter((/** @type {any} */ change) => passes(change, campaign, filter, { findings, out, group }));
    if (changes.length === 0) continue;
    if (filter.sort === "raise") changes.sort(by((change) => -largest(change)));
    if (filter.sort === "cut") changes.sort(by((change) => smallest(change)));
    if (filter.sort === "cost") changes.sort(by((change) => -(change.evidence?.cost ?? -1)));
    const key = campaignKey(campaign);
    rows.push({ type: "campaign", key: `campaign ${key}`, campaign, changes, folded: folded.has(key), sums: sumsOf(changes) });
    if (folded.has(key)) continue;
    for (const change of changes) {
      const fields = change.fields.length > 0 ? change.fields : [{ field: "", before: null, after: null }];
      fields.forEach((/** @type {any} */ field, /** @type {number} */ at) =>
        rows.push({ type: "field", key: `${change.change} ${field.field}`, change, field, first: at === 0 })
      );
      if (unfolded.has(change.change)) {
        rows.push({ type: "detail", key: `${change.change} detail`, change, findings: findings.get(change.change) ?? [] });
      }
    }
  }
  return rows;
}

/** @param {any} campaign */
export function campaignKey(campaign) {
  return campaign.campaign_id ?? `ref ${campaign.campaign_ref ?? ""}`;
}

/**
 * Figures of changes together; nothing where one of them has none.
 *
 * @param {any[]} changes
 * @returns {Sums}
 */
function sumsOf(changes) {
  const sum = (/** @type {string} */ name) =>
    changes.every(({ evidence }) => typeof evidence?.[name] === "number") ? changes.reduce((all, { evidence }) => all + evidence[name], 0) : undefined;
  const [clicks, cost, orders] = [sum("clicks"), sum("cost"), sum("orders")];
  // Sales stand in the evidence, or follow from cost and ACOS.
  const sales = changes.map(({ evidence: { cost: spent, sales: sold, acos } = {} }) => sold ?? (acos > 0 ? spent / acos : undefined));
  const known = sales.every((one, at) => one !== undefined || changes[at].evidence?.orders === 0);
  const total = sales.reduce((all, one) => all + (one ?? 0), 0);
  return {
    ...(clicks === undefined ? {} : { clicks }),
    ...(cost === undefined ? {} : { cost }),
    ...(orders === undefined ? {} : { orders }),
    ...(cost === undefined || !known || total === 0 ? {} : { acos: cost / total }),
  };
}

/**
 * @param {any} change
 * @param {any} campaign
 * @param {Filter} filter
 * @param {{ findings: ReadonlyMap<number, any[]>, out: ReadonlySet<number>, group?: ReadonlySet<number> | undefined }} parts
 */
function passes(change, campaign, { search, op, only }, { findings, out, group }) {
  if (op !== "" && change.op !== op) return false;
  if (only === "findings" && !findings.has(change.change)) return false;
  if (only === "sent" && out.has(change.change)) return false;
  if (only === "out" && !out.has(change.change)) return false;
  if (group !== undefined && !group.has(change.change)) return false;
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
