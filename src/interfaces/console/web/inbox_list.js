// @ts-check

/**
 * The list of an alert; new ones are open, and those that were seen. Notes, which ask for nothing, have a list of their own.
 *
 * @param {any} alert
 */
export function placeOf({ mark: { state }, severity }) {
  return state !== "new" && state !== "seen" ? state : severity === "note" ? "notes" : "open";
}

/**
 * @param {any} alert
 * @param {string} by `rule`, `campaign` or `cost`; the day otherwise
 * @returns {string}
 */
export function groupOf({ day, rule, subject, about, cost_a_day: cost = null, currency }, by) {
  if (by === "cost") return cost === null ? "Cost unknown" : `${currency} a day`;
  return by === "rule" ? rule : by === "campaign" ? about?.campaign ?? subject ?? "Whole accounts" : day;
}

/**
 * The alerts of a list that filters let through; those of a group stand together, those that cost most first.
 *
 * @param {readonly any[]} all
 * @param {{ state?: string, rule?: string, profile?: string, by?: string, cost?: string }} view `cost`: least cost of a day, in the currency of each
 */
export function shownAlerts(all, { state = "open", rule = "", profile = "", by = "", cost = "" }) {
  const least = Number(cost);
  const found = all.filter((one) => placeOf(one) === state && (rule === "" || one.rule === rule) && (profile === "" || one.profileId === profile) &&
    (cost === "" || (one.cost_a_day ?? -1) >= least));
  const groups = [...Map.groupBy(found, (one) => groupOf(one, by)).values()];
  return groups.flatMap((own) => own.sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0)));
}

/**
 * Pages that show what an alert is about, and forms that plan for exactly that.
 *
 * @param {any} alert
 * @returns {{ href: string, word: string }[]}
 */
export function actionsOf({ profileId, about }) {
  const { campaign_id: campaign, ad_group_id: adGroup, keyword_id: keyword, search_term: term } = about ?? {};
  const link = (/** @type {string} */ path, /** @type {Record<string, string>} */ values) => `${path}?${new URLSearchParams({ profile: profileId, ...values })}`;
  return [
    ...keyword ? [{ href: link("/grid", { table: "keywords", q: keyword }), word: "Edit the keyword" }, { href: link("/jobs", { job: "bids", ids: keyword, change: "-10%" }), word: "Plan its bid …" }] : [],
    ...adGroup && !keyword ? [{ href: link("/grid", { table: "ad_groups", q: adGroup }), word: "Edit the ad group" }] : [],
    ...term ? [{ href: link("/terms", { q: term }), word: "Move or negate the term" }] : [],
    ...campaign ? [
      { href: link("/grid", { campaign }), word: "Edit the campaign" },
      { href: link("/jobs", { job: "bids", campaign_ids: campaign, change: "-10%" }), word: "Plan its bids …" },
      { href: link("/jobs", { job: "budgets", campaign_ids: campaign }), word: "Plan its budget …" },
      { href: link("/jobs", { job: "negatives", campaign_ids: campaign }), word: term ? "Plan negatives there …" : "Plan its negatives …" },
      { href: link("/account", { view: "drift", q: campaign }), word: "Its changes" },
    ] : [],
  ];
}
