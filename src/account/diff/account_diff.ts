import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountComparison } from "./account_comparison.ts";
import type { AccountNode, AccountReading } from "../files/account_reading.ts";
import type { AddedEntity, DiffEntry, PortfolioChoice } from "./diff_entries.ts";
import { specOf } from "../files/file_kinds.ts";
import { AccountFilesError, type FileProblem } from "../files/file_problem.ts";
import type { WantedEntity } from "../files/wanted_entities.ts";

/** Options of {@linkcode AccountDiff.plan}. */
export interface DiffPlanOptions {
  /** Archive entities that are in the account but not in the files. Archiving is permanent. @default false */
  readonly prune?: boolean | undefined;
  /** Reason for the plan, stored with it. */
  readonly note?: string | undefined;
  /** Aborts the requests that check the new plan. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Differences between account files and an account.
 *
 * @example
 * ```ts
 * import type { AccountDiff } from "@platform/ads/account";
 *
 * function show({ creates, updates, extras, refusals }: AccountDiff): void {
 *   for (const { kind, label } of creates) console.log("+", kind, label);
 *   for (const { kind, label, before, after } of updates) console.log("~", kind, label, before, after);
 *   for (const { kind, label } of extras) console.log("only in the account:", kind, label);
 *   for (const { file, line, message } of refusals) console.log(file, line, message);
 * }
 * ```
 */
export class AccountDiff {
  /** The platform's id of the compared profile, digits as text. */
  readonly profileId: string;
  /** Country of the compared profile. */
  readonly countryCode: string;
  /** Entities in the files but not in the account, parents first. */
  readonly creates: readonly DiffEntry[];
  /** Entities in both whose values differ. */
  readonly updates: readonly DiffEntry[];
  /** Entities in the account but not in the files; children of a listed entity are not listed. */
  readonly extras: readonly DiffEntry[];
  /** Changes in the files that the platform cannot carry out, each with the reason. */
  readonly refusals: readonly FileProblem[];
  /** Remarks for the reader. */
  readonly notes: readonly string[];
  readonly #profile: ProfileClient;
  readonly #found: AccountComparison;

  /** @internal */
  constructor(profile: ProfileClient, found: AccountComparison, reading: AccountReading) {
    this.#profile = profile;
    this.#found = found;
    this.profileId = reading.profileId;
    this.countryCode = reading.countryCode;
    this.creates = found.added.map(({ entry }) => entry);
    this.updates = found.changed.map(({ entry }) => entry);
    this.extras = found.extra.map(({ entry }) => entry);
    this.refusals = found.refusals;
    this.notes = [...found.notes];
  }

  /** True when the files match the account. */
  get isEmpty(): boolean {
    return [this.creates, this.updates, this.extras, this.refusals].every(({ length }) => length === 0);
  }

  /** Number of creates, updates, extras and refusals as text, for example for a console. */
  summary(): string {
    const { creates, updates, extras, refusals } = this;
    if (this.isEmpty) return "No differences";
    const refused = refusals.length === 0 ? "" : `, ${refusals.length} that cannot be done`;
    return `${creates.length} to create, ${updates.length} to change, ${extras.length} only in the account${refused}`;
  }

  /** The differences as plain data, for JSON. */
  toData(): Record<string, unknown> {
    return {
      profile_id: this.profileId,
      country_code: this.countryCode,
      creates: this.creates,
      updates: this.updates,
      only_in_account: this.extras,
      refused: this.refusals,
      notes: this.notes,
      summary: this.summary(),
    };
  }

  /**
   * Plans the changes that bring the account to the state in the files. Sends nothing. Entities to change are read
   * again, and the plan is checked and reviewed like any other.
   *
   * @throws {AccountFilesError} when the platform cannot carry out a change in the files.
   */
  async plan({ prune = false, note, signal }: DiffPlanOptions = {}): Promise<ChangePlan> {
    if (this.refusals.length > 0) throw new AccountFilesError("plan from the account files", this.refusals);
    const { added, changed, extra } = this.#found;
    const draft = this.#profile.plan();
    const names = new Map<WantedEntity, string>();
    added.forEach(({ wanted }, at) => names.set(wanted, `${prefixOf(wanted)}${at + 1}`));
    const idOf = (place: AccountNode | WantedEntity): unknown =>
      "source" in place ? { ref: names.get(place) ?? "" } : place.id;
    const portfolioFields = (portfolio: PortfolioChoice | undefined): Fields => {
      if (portfolio === undefined) return {};
      return {
        portfolioId: portfolio === null ? null : "id" in portfolio ? portfolio.id : idOf(portfolio.added),
      };
    };
    for (const { wanted, parents, entry, portfolio } of added) {
      const item = {
        ...parentFields({ wanted, parents }, idOf),
        ...entry.after,
        ...portfolioFields(portfolio),
      };
      const isNamed = wanted.children.length > 0 || wanted.kind.children.length > 0 ||
        wanted.kind.kind === "portfolios";
      const as = isNamed ? names.get(wanted) : undefined;
      draft.create(wanted.kind.kind as string, item, as === undefined ? {} : { as });
    }
    for (const { entry: { kind, after }, node, portfolio } of changed) {
      draft.update(kind, { [specOf(node.kind).idField]: node.id, ...after, ...portfolioFields(portfolio) });
    }
    if (prune) { for (const { entry: { kind }, node } of extra) draft.archive(kind, node.id); }
    return await draft.build({ note, signal, more: { warnings: this.notes } });
  }
}

function prefixOf({ kind, fields }: WantedEntity): string {
  const name = String(fields["name"] ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${name.slice(0, 40) || kind.kind.replace(/[^a-z]/g, "-")}-`;
}

function parentFields(
  { wanted, parents }: Pick<AddedEntity, "wanted" | "parents">,
  idOf: (place: AccountNode | WantedEntity) => unknown,
): Fields {
  const fields: Fields = {};
  for (const [field, kind] of Object.entries(specOf(wanted.kind).parents)) {
    const parent = parents.find((one) => one.kind.kind === kind);
    if (parent !== undefined) fields[field] = idOf(parent);
  }
  return fields;
}
