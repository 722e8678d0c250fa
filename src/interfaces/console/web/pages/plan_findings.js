// @ts-check
import { counted } from "../format.js";

/**
 * @typedef {{ code: string, level: string, change?: number, message: string, allowed?: string, hint?: string, rule?: string, refused?: boolean, short?: string }} Finding
 * @typedef {{ key: string, kind: string, words: string, changes: number[], verb?: "drop" | "leave" }} FindingGroup
 * @typedef {{ all: Finding[], byChange: Map<number, Finding[]>, whole: Finding[] }} Findings
 */

/**
 * Findings of the review where there is one, else those that the plan was saved with: of the plan, and by change.
 *
 * @param {any} shown
 * @param {any} review
 * @returns {Findings}
 */
export function findingsOf(shown, review) {
  const saved = shown === undefined ? [] : [
    ...shown.plan.findings,
    ...shown.plan.campaigns.flatMap((/** @type {any} */ campaign) =>
      campaign.changes.flatMap((/** @type {any} */ change) => change.findings ?? [])
    ),
  ];
  const drift = (review?.drift ?? []).map((/** @type {any} */ { change, already, fields }) => ({
    change,
    level: "advise",
    code: already ? "ALREADY" : "DRIFTED",
    short: already ? "already has this value" : `changed to ${valueText(fields[0]?.actual)}`,
    message: already
      ? "No change: the account already has this value"
      : `Changed in the account: ${
        fields.map((/** @type {any} */ { field, expected, actual }) =>
          `${field} is ${valueText(actual)}, and was ${valueText(expected)} when the plan was made`
        ).join("; ")
      }`,
  }));
  const all = [...drift, ...review?.findings ?? saved];
  /** @type {Map<number, Finding[]>} */
  const byChange = new Map();
  for (const finding of all) {
    if (finding.change === undefined) continue;
    byChange.set(finding.change, [...byChange.get(finding.change) ?? [], finding]);
  }
  return { all, byChange, whole: all.filter(({ change }) => change === undefined) };
}

/** @param {Finding} finding */
function noLongerFits({ code }) {
  return code === "ALREADY" || code === "DRIFTED";
}

/**
 * Positions of the changes that would not be sent, whatever a person ticks.
 *
 * @param {Findings} findings
 */
export function unsendable({ byChange }) {
  return new Set([...byChange].flatMap(([change, own]) => own.some((one) => noLongerFits(one) || one.refused) ? [change] : []));
}

/**
 * @param {Findings} findings
 * @returns {FindingGroup[]}
 */
export function findingGroups({ byChange }) {
  /** @type {Map<string, FindingGroup & { codes: Map<string, number> }>} */
  const groups = new Map();
  for (const [change, own] of byChange) {
    for (const finding of own) {
      const { key, kind, verb } = groupOf(finding);
      /** @type {FindingGroup & { codes: Map<string, number> }} */
      const group = groups.get(key) ?? { key, kind, words: "", changes: [], codes: new Map(), ...(verb === undefined ? {} : { verb }) };
      if (group.changes.at(-1) !== change) group.changes.push(change);
      group.codes.set(finding.code, (group.codes.get(finding.code) ?? 0) + 1);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ codes, ...group }) => ({ ...group, words: wordsOf(group, codes) }))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

const ORDER = ["deny", "approve", "drift", "advise", "note"];

/**
 * @param {Finding} finding
 * @returns {{ key: string, kind: string, verb?: "drop" | "leave" }}
 */
function groupOf(finding) {
  const { level, code, refused } = finding;
  if (noLongerFits(finding)) return { key: "drift", kind: "drift", verb: "drop" };
  if (refused) return { key: "refused", kind: "deny", verb: "drop" };
  if (level === "deny") return { key: "deny", kind: "deny", verb: "drop" };
  if (level === "approve") return { key: "approve", kind: "approve", verb: "leave" };
  return { key: code.toLowerCase(), kind: level, verb: "leave" };
}

/**
 * @param {FindingGroup} group
 * @param {Map<string, number>} codes
 */
function wordsOf({ key, changes: { length } }, codes) {
  const one = length === 1;
  if (key === "drift") {
    const [already, since] = [codes.get("ALREADY") ?? 0, codes.get("DRIFTED") ?? 0];
    const parts = [already > 0 && `${already} already ${already === 1 ? "has" : "have"} this value`, since > 0 && `${since} changed since`].filter(Boolean);
    return `${counted(length, "change")} no longer ${one ? "fits" : "fit"}: ${parts.join(", ")}`;
  }
  if (key === "refused") return `${counted(length, "change")} cannot be sent: the platform would refuse ${one ? "it" : "them"}`;
  if (key === "deny") return `${counted(length, "change")} ${one ? "is" : "are"} denied by the policy`;
  if (key === "approve") return `${counted(length, "change")} ${one ? "needs" : "need"} approval`;
  return `${counted(length, "change")}: ${codeWords(key)}`;
}

/**
 * The sign and words of a change's first finding.
 *
 * @param {Finding[] | undefined} own
 * @returns {{ kind: string, words: string } | undefined}
 */
export function shortFinding(own = []) {
  const first = [...own].sort((a, b) => ORDER.indexOf(groupOf(a).kind) - ORDER.indexOf(groupOf(b).kind))[0];
  if (first === undefined) return undefined;
  const { key, kind } = groupOf(first);
  const words = first.short ?? (key === "refused" ? "cannot be sent" : key === "deny" ? "denied by the policy" : key === "approve" ? "needs approval" : codeWords(first.code));
  return { kind: first.code === "ALREADY" ? "muted" : kind, words: own.length > 1 ? `${words}, ${own.length - 1} more` : words };
}

/** @param {string} code `BID_ABOVE_BUDGET` */
function codeWords(code) {
  return code.toLowerCase().replace(/^policy_/, "").replaceAll("_", " ");
}

/** @param {unknown} value */
function valueText(value) {
  return value === undefined || value === null ? "gone" : typeof value === "object" ? JSON.stringify(value) : String(value);
}
