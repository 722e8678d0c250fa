import type { AcceptedMutant } from "../accepted_mutant.ts";

/** File below src/plans, part of the line, text there, text in its place. */
type Row = readonly [path: string, within: string, before: string, after: string];

function accepted(why: string, rows: readonly Row[]): AcceptedMutant[] {
  return rows.map(([path, within, before, after]) => ({
    path: `src/plans/${path}`,
    within,
    before,
    after,
    why,
  }));
}

/** Mutants of src/plans that no test needs to notice. */
export const PLANS: readonly AcceptedMutant[] = [
  ...accepted("A key that may be taken out of the process checks and derives the same", [
    ["review/approval_key.ts", 'importKey("jwk"', "false", "true"],
    ["review/approval_key.ts", '"PBKDF2"', "false", "true"],
  ]),
  ...accepted("No change stands at a place that is none", [
    ["review/judge.ts", "indexes.get(finding.change ?? -1)", "finding.change ?? -1", "finding.change"],
    ["review/judge.ts", "indexes.get(finding.change ?? -1)", "1", "(1 + 1)"],
    [
      "review/judge.ts",
      "change: changes[finding.change]?.at",
      "changes[finding.change]?.at ?? finding.change",
      "changes[finding.change]?.at",
    ],
  ]),
  ...accepted("Nothing refers to what has no name", [
    ["review/judge.ts", "ref === undefined || id === null", "||", "&&"],
  ]),
  ...accepted("The place is that of a change of the plan, for which there is an entry", [
    ["change_plan/resume_sending.ts", "statuses[at] ?? status", "statuses[at] ?? status", "statuses[at]"],
    [
      "change_plan/resume_sending.ts",
      "settled[at] ??",
      'settled[at] ?? { state: "not_sent" }',
      "settled[at]",
    ],
    ["change_plan/resume_sending.ts", "found.get(at) ?? []", "found.get(at) ?? []", "found.get(at)"],
    [
      "apply/send_changes.ts",
      "graph.positions.get(ref)",
      "graph.positions.get(ref) ?? -1",
      "graph.positions.get(ref)",
    ],
    ["apply/send_changes.ts", "graph.positions.get(ref)", "1", "(1 + 1)"],
    [
      "apply/send_changes.ts",
      "graph.needs[placed.at]",
      "graph.needs[placed.at] ?? []",
      "graph.needs[placed.at]",
    ],
    ["apply/send_changes.ts", "placed[index] ?? []", "placed[index] ?? []", "placed[index]"],
    ["apply/send_changes.ts", "found[index] ?? []", "found[index] ?? []", "found[index]"],
    ["change_plan/resume_sending.ts", "positions.get(ref)", "positions.get(ref) ?? -1", "positions.get(ref)"],
    ["change_plan/resume_sending.ts", "positions.get(ref)", "1", "(1 + 1)"],
    ["model/change_ref.ts", "levels[at] ?? 0", "levels[at] ?? 0", "levels[at]"],
    ["model/change_ref.ts", "levels[at] ?? 0", "levels[done] ?? 0", "levels[done]"],
    ["model/change_ref.ts", "levels[at] ?? 0", "0", "(0 + 1)"],
    ["model/change_ref.ts", "open[at] ?? 1", "open[at] ?? 1", "open[at]"],
    ["model/change_ref.ts", "open[at] ?? 1) - 1", "1", "(1 + 1)"],
    ["change_plan/inverse.ts", "positions.get(ref)", "positions.get(ref) ?? -1", "positions.get(ref)"],
    ["change_plan/inverse.ts", "positions.get(ref)", "1", "(1 + 1)"],
    ["change_plan/inverse.ts", "levels[at] ?? 0", "levels[at] ?? 0", "levels[at]"],
    ["change_plan/inverse.ts", "levels[at] ?? 0", "0", "(0 + 1)"],
  ]),
  ...accepted("What was sent has a time", [
    ["change_plan/resume_sending.ts", "lastSent ?? 0", "lastSent ?? 0", "lastSent"],
    ["change_plan/resume_sending.ts", "lastSent ?? 0", "0", "(0 + 1)"],
  ]),
  ...accepted("The change is a call where this is asked", [
    [
      "apply/send_changes.ts",
      "plannedCall({ op",
      "plannedCall({ op: change.op, after: fields }) ?? []",
      "plannedCall({ op: change.op, after: fields })",
    ],
    ["change_plan/inverse.ts", "plannedCall(change)", "plannedCall(change) ?? {}", "plannedCall(change)"],
  ]),
  ...accepted("What is archived has an id, which the making of a plan checks", [
    ["apply/send_changes.ts", "change.id ?? []", "change.id ?? []", "change.id"],
  ]),
  ...accepted("What is waited for is named, and what is not done has an error", [
    [
      "apply/send_changes.ts",
      "changes[need]?.ref",
      "changes[need]?.ref ?? String(need)",
      "changes[need]?.ref",
    ],
    ["apply/send_changes.ts", "error?.message ?? outcome", "error?.message ?? outcome", "error?.message"],
  ]),
  ...accepted("Asks calls alone, and settles entities anew below", [
    ["change_plan/resume_sending.ts", "settled[at] = await settleCall", 'change.op === "call"', "true"],
  ]),
  ...accepted("Equal texts are made once: saves time and memory alone", [
    ["change_plan/plan_file.ts", "MAX_KEPT =", "10_000", "(10000 + 1)"],
    ["change_plan/plan_file.ts", "!isCommon(change)", "!isCommon(change)", "true"],
    ["change_plan/plan_file.ts", "known !== undefined", "known !== undefined", "false"],
    ["change_plan/plan_file.ts", ">= MAX_KEPT", "this.#known.size >= MAX_KEPT", "true"],
    ["change_plan/plan_file.ts", ">= MAX_KEPT", "this.#known.size >= MAX_KEPT", "false"],
    ["change_plan/plan_file.ts", ">= MAX_KEPT", ">=", ">"],
    ["change_plan/plan_file.ts", ">= MAX_KEPT", "this.#known.clear();", ";"],
    ["change_plan/plan_file.ts", "this.#known.set", "this.#known.set(value, text);", ";"],
    [
      "change_plan/read_plan_file.ts",
      "!KNOWN_FIELDS.has(name)",
      "!KNOWN_FIELDS.has(name)",
      "(KNOWN_FIELDS.has(name))",
    ],
    ["change_plan/read_plan_file.ts", "!hasKnownFields(value)", "!hasKnownFields(value)", "true"],
  ]),
  ...accepted("Two empty lists are equal without a look at their items as well", [
    ["model/differences.ts", "value.length > 0", ">", ">="],
  ]),
  ...accepted("The same level either way", [
    ["model/finding.ts", "LEVELS.indexOf(level)", ">", ">="],
  ]),
  ...accepted("Saves the time of renaming nothing alone", [
    ["model/merge_plans.ts", "names.size === 0", "names.size === 0", "false"],
  ]),
  ...accepted("An amount that stays gives up as little as it costs", [
    ["review/estimate_money.ts", "effect = to >= from", ">=", ">"],
  ]),
  ...accepted("New campaigns are only added up", [
    ["review/estimate_money.ts", "change.id ?? change.label", "change.id ?? change.label", "change.id"],
  ]),
  ...accepted("No passphrase and an empty one are the same to a decoder of text", [
    ["review/approval_key.ts", 'options.passphrase ?? ""', 'options.passphrase ?? ""', "options.passphrase"],
  ]),
  ...accepted("Nobody outside of the function sees the key", [
    ["review/approval_key.ts", 'importKey("pkcs8"', "false", "true"],
    ["review/approval_key.ts", 'importKey("jwk"', "false", "true"],
    ["review/approval_key.ts", 'importKey("raw"', "false", "true"],
    ["review/approval_key.ts", "length: 256", "false", "true"],
  ]),
  ...accepted("No two plans have one id, and any number above 0 means the same to a sort", [
    ["store/plan_folder.ts", "order(a) < order(b)", "<", "<="],
    ["store/plan_folder.ts", "order(a) < order(b)", "1", "(1 + 1)"],
  ]),
  ...accepted("Any number above 0 means the same to a sort, and of equal days either is the last", [
    ["store/running_experiments.ts", "together(begun).sort", "1", "(1 + 1)"],
    ["store/running_experiments.ts", "b.until > a.until", ">", ">="],
  ]),
  ...accepted("A row of spaces between lines of a record that programs read", [
    ["store/plan_folder.ts", "JSON.stringify(approval, null, 2)", "2", "(2 + 1)"],
    ["store/write_result.ts", "rollback_file", "2", "(2 + 1)"],
  ]),
  ...accepted("Saves memory alone: files of such a size are no plans, or plans that are padded", [
    ["store/plan_folder.ts", "MAX_PLAN_FILE =", "64_000_000", "(64000000 + 1)"],
    ["store/plan_folder.ts", "> MAX_PLAN_FILE", "await files.size(path) > MAX_PLAN_FILE", "false"],
    ["store/plan_folder.ts", "> MAX_PLAN_FILE", ">", ">="],
    ["store/plan_folder.ts", "> MAX_PLAN_FILE", "continue;", ";"],
    ["store/read_plans.ts", "MAX_KEPT =", "64_000_000", "(64000000 + 1)"],
  ]),
  ...accepted("A file that is not there is shorter than any limit", [
    ["store/read_plans.ts", ".catch(() => 0)", "0", "(0 + 1)"],
  ]),
  ...accepted("One character is no record", [
    ["store/read_record.ts", "Math.max(0", "0", "(0 + 1)"],
  ]),
  ...accepted("No bid is higher than none, and either of two equal ones is the highest", [
    ["state/account_reading.ts", "if (bid !== undefined) bids.push", "bid !== undefined", "true"],
    ["state/account_reading.ts", "one.bid > (highest", ">", ">="],
  ]),
  ...accepted("What has no id is found under none, whichever word says so", [
    ["state/names.ts", "groupId ?? null", "groupId ?? null", "groupId"],
    ["state/names.ts", "campaignId ?? null", "campaignId ?? null", "campaignId"],
    [
      "state/read_prior_state.ts",
      "groupOf(change, entity) ?? null",
      "groupOf(change, entity) ?? null",
      "groupOf(change, entity)",
    ],
    ["state/plan_state.ts", "const gone = {", "change.id ?? undefined", "change.id"],
  ]),
  ...accepted("The two amounts differ where this is asked", [
    ["view/plan_view.ts", "to > from", ">", ">="],
  ]),
  ...accepted("A digit more takes off what binary fractions add as well", [
    ["view/plan_view.ts", "toPrecision", "12", "(12 + 1)"],
  ]),
  ...accepted("Spares the one value that most updates have the way of all others, which gives the same", [
    ["model/differences.ts", "if (only !== undefined) return", "only !== undefined", "false"],
    [
      "model/differences.ts",
      "only !== undefined || typeof",
      'only !== undefined || typeof after[field] === "object"',
      "true",
    ],
    ["model/differences.ts", "only !== undefined || typeof", "!==", "==="],
    ["model/differences.ts", "only = field", "only = field;", ";"],
    ["model/differences.ts", "if (only === undefined) return", "only === undefined", "true"],
    ["model/differences.ts", "for (const field in before)", "field !== only", "true"],
    ["model/differences.ts", "for (const field in before)", "!==", "==="],
  ]),
  ...accepted("Only the order of what is compared with it counts", [
    ["view/plan_view.ts", "1e6", "1e6", "(1000000 + 1)"],
    ["view/plan_view.ts", "1e6", "2", "(2 + 1)"],
    ["view/plan_view.ts", "1e9", "1e9", "(1000000000 + 1)"],
  ]),
  ...accepted("All changes are the most important ones of as many", [
    ["view/plan_view.ts", "<= limit", "<=", "<"],
  ]),
  ...accepted("A group has at least one change", [
    ["view/plan_view.ts", "changes[0]?.campaign", "changes[0]?.campaign ?? {}", "changes[0]?.campaign"],
  ]),
  ...accepted("Holds more or fewer changes in between; those that are chosen stay the same", [
    [
      "view/plan_view.ts",
      "ranked.importance > least",
      "ranked.importance > least || top.length < count",
      "true",
    ],
    ["view/plan_view.ts", "ranked.importance > least", ">", ">="],
    ["view/plan_view.ts", "ranked.importance > least", "<", "<="],
    ["view/plan_view.ts", "2 * count", "top.length >= 2 * count", "true"],
    ["view/plan_view.ts", "2 * count", "top.length >= 2 * count", "false"],
    ["view/plan_view.ts", "2 * count", ">=", ">"],
    ["view/plan_view.ts", "2 * count", "*", "/"],
    ["view/plan_view.ts", "2 * count", "2", "(2 + 1)"],
    ["view/plan_view.ts", "least = top.at", "least = top.at(-1)?.importance ?? -Infinity;", ";"],
    [
      "view/plan_view.ts",
      "least = top.at",
      "top.at(-1)?.importance ?? -Infinity",
      "top.at(-1)?.importance",
    ],
  ]),
  ...accepted("The most important of all is the first of what is filled up with", [
    ["view/plan_view.ts", "firsts.slice(0, count)", "0", "(0 + 1)"],
  ]),
];
