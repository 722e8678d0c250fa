// @ts-check
/** Alerts of the inbox: which are shown, how they are grouped, and what can be done about one. */

/**
 * The list of an alert; new ones are open, and those that were seen.
 *
 * @param {any} alert
 */
export function placeOf({ mark: { state } }) {
  return state === "new" || state === "seen" ? "open" : state;
}

/**
 * @param {any} alert
 * @param {string} by `rule` or `campaign`; the day otherwise
 * @returns {string}
 */
export function groupOf({ day, rule, subject, about }, by) {
  return by === "rule" ? rule : by === "campaign" ? about?.campaign ?? subject ?? "Whole accounts" : day;
}

/**
 * The alerts of a list that filters let through; those of a group stand together.
 *
 * @param {readonly any[]} all
 * @param {{ state?: string, rule?: string, profile?: string, by?: string }} view
 */
export function shownAlerts(all, { state = "open", rule = "", profile = "", by = "" }) {
  const found = all.filter((one) => placeOf(one) === state && (rule === "" || one.rule === rule) && (profile === "" || one.profileId === profile));
  return [...Map.groupBy(found, (one) => groupOf(one, by)).values()].flat();
}

/**
 * Pages that show what an alert is about, and forms that plan for exactly that.
 *
 * @param {any} alert
 * @returns {{ href: string, word: string }[]}
 */
export function actionsOf({ profileId, about }) {
  const { campaign_id: campaign, keyword_id: keyword, search_term: term } = about ?? {};
  const link = (/** @type {string} */ path, /** @type {Record<string, string>} */ values) => `${path}?${new URLSearchParams({ profile: profileId, ...values })}`;
  return [
    ...keyword ? [{ href: link("/grid", { table: "keywords", q: keyword }), word: "Edit the keyword" }, { href: link("/jobs", { job: "bids", ids: keyword, change: "-10%" }), word: "Plan its bid …" }] : [],
    ...campaign ? [
      { href: link("/grid", { campaign }), word: "Edit the campaign" },
      { href: link("/jobs", { job: "bids", campaign_ids: campaign, change: "-10%" }), word: "Plan its bids …" },
      { href: link("/jobs", { job: "negatives", campaign_ids: campaign }), word: term ? "Plan negatives there …" : "Plan its negatives …" },
      { href: link("/account", { view: "drift", q: campaign }), word: "Its changes" },
    ] : [],
  ];
}
