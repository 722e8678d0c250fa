import { withArticle } from "../../../platform/catalog/kind_names.ts";
import { hintFor } from "../../../platform/batch/item_error.ts";
import type { Change } from "../../../plans/model/change.ts";
import type { Finding } from "../../../plans/model/finding.ts";
import {
  type ChangeGraph,
  changeGraph,
  isChangeRef,
  refsIn,
  sendingOrder,
  withRefs,
} from "../../../plans/model/change_ref.ts";
import { bidField } from "../../../plans/state/amounts.ts";
import { known, placeKinds, type Surroundings } from "../../../plans/model/prior_state.ts";
import { comparedBid } from "../../../plans/state/read_prior_state.ts";
import { isArchived } from "../model/identity.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { ByEntity } from "../../../plans/state/by_entity.ts";
import { bidProblems, budgetProblems, capProblems } from "./money_rules.ts";
import { dateProblems, placeProblems, portfolioProblems } from "./place_rules.ts";
import { LiveKeywords, negativeProblems, predicateProblems } from "./targeting_rules.ts";
import type {
  AccountView,
  CheckedChange,
  Preflight,
  PreflightContext,
  PreflightRule,
  Problem,
  StepContext,
} from "./problem.ts";
import {
  blankProblems,
  brandsProductProblems,
  displayProductProblems,
  expressionProblems,
  keywordProblems,
  productProblems,
  shapeProblems,
} from "./shape_rules.ts";

const RULES: readonly PreflightRule[] = [
  shapeProblems,
  keywordProblems,
  negativeProblems,
  expressionProblems,
  productProblems,
  predicateProblems,
  displayProductProblems,
  brandsProductProblems,
  blankProblems,
  bidProblems,
  budgetProblems,
  capProblems,
  dateProblems,
  portfolioProblems,
  placeProblems,
];

export class Play {
  readonly #changes: readonly Change[];
  readonly #account: Surroundings;
  readonly #context: StepContext;
  readonly #published: ReadonlyMap<number, readonly Problem[]>;
  readonly #graph: ChangeGraph;
  readonly #ranks: number[] = [];
  readonly #played = new ByEntity<Fields>();
  readonly #created = new Map<string, Fields>();
  readonly #taken = new Set<string>();
  readonly #freed = new ByEntity<number>();
  readonly #archives = new ByEntity<number>();
  readonly #held = new Set<string>();
  readonly #problems = new Map<number, Problem[]>();
  readonly #left = new Map<number, string>();

  constructor(
    changes: readonly Change[],
    { context, published }: {
      context: PreflightContext;
      published: ReadonlyMap<number, readonly Problem[]>;
    },
  ) {
    this.#changes = changes;
    this.#published = published;
    this.#account = context.account;
    this.#context = { ...context, account: this.#view(context.account) };
    this.#graph = changeGraph(changes);
    const order = sendingOrder(changes, this.#graph).flat().flatMap(({ places }) => places);
    for (const [rank, at] of order.entries()) this.#ranks[at] = rank;
    for (const at of order) this.#do(at);
    this.#refuseTooEarly();
    if (this.#archives.values().length > 0) { for (const at of order) this.#tellLaterArchives(at); }
  }

  result(): Preflight {
    const changes: Change[] = [];
    const findings: Finding[] = [];
    for (const [at, change] of this.#changes.entries()) {
      const id = this.#left.get(at);
      if (id !== undefined) {
        findings.push(alreadyThere(this.#look(change), id));
        continue;
      }
      for (const problem of this.#problems.get(at) ?? []) findings.push(findingOf(problem, changes.length));
      changes.push(change);
    }
    return { changes, findings, left: this.#left };
  }

  #refuseTooEarly(): void {
    for (const [at, id] of this.#left) {
      const { kind } = this.#changes[at]!;
      if (!this.#freed.has(kind, id)) continue;
      this.#left.delete(at);
      const message = `The ${
        this.#context.specOf(kind).noun
      } ${id} equals it, and the plan changes that one later`;
      this.#problems.set(at, [{ code: "DUPLICATE_VALUE", message, hint: "Change that one first" }]);
    }
  }

  waits(): Map<number, number[]> {
    const waits = new Map<number, number[]>();
    for (const at of this.#changes.keys()) {
      if (!this.#isRefused(at)) continue;
      const needed = this.#enablers(at).filter((other) =>
        other !== at && !this.#isRefused(other) && !this.#waitsFor(other, at) &&
        !this.#graph.needs[at]!.includes(other)
      );
      if (needed.length === 0 || this.#judge(at).some(isSure)) continue;
      if (this.#rival(this.#look(this.#changes[at]!)) !== undefined) continue;
      waits.set(at, needed);
    }
    return waits;
  }

  #do(at: number): void {
    const change = this.#changes[at]!;
    const checked = this.#look(change);
    const problems = this.#judge(at, checked);
    const rival = this.#rival(checked);
    if (change.ref !== undefined && change.op === "create") this.#created.set(change.ref, checked.next);
    if (typeof rival === "string") {
      if (problems.length === 0) return void this.#left.set(at, rival);
    } else if (rival !== undefined) problems.push(rival);
    if (problems.length > 0) this.#problems.set(at, problems);
    // What is itself refused changes nothing, and holds no place that another needs.
    if (!problems.some(isSure)) this.#carryOut(checked, at);
  }

  #judge(at: number, checked = this.#look(this.#changes[at]!)): Problem[] {
    const published = this.#published.get(at) ?? [];
    // The rules read values of the published types.
    if (published.some(({ code }) => code === "WRONG_TYPE")) return [...published];
    const found = RULES.flatMap((rule) => rule(checked, this.#context));
    return found.some(isSure) ? found : [...published, ...found];
  }

  #carryOut({ change, spec, entity, next }: CheckedChange, at: number): void {
    const { kind, id } = change;
    const before = entity === undefined ? undefined : identityKey(spec, entity);
    if (archives(change)) {
      if (id === null) return;
      const state = spec.stateCase === "upper" ? "ARCHIVED" : "archived";
      this.#played.set(kind, id, { ...entity, state });
      this.#archives.set(kind, id, at);
      this.#freed.set(kind, id, at);
      return;
    }
    const after = identityKey(spec, next);
    if (id === null) this.#held.add(`${kind} ${placeText(next["adGroupId"])}`);
    else this.#played.set(kind, id, next);
    if (after === undefined || after === before) return;
    if (id !== null) this.#freed.set(kind, id, at);
    if (id === null || "name" in change.after) this.#taken.add(after);
  }

  #rival({ change, spec, next }: CheckedChange): Problem | string | undefined {
    const isNamed = change.op === "create" || (change.op === "update" && "name" in change.after);
    const key = isNamed ? identityKey(spec, next) : undefined;
    if (key === undefined) return undefined;
    if (this.#taken.has(key)) {
      const message = `The plan makes ${withArticle(spec.noun)} that equals an earlier one`;
      return { code: "DUPLICATE_VALUE", message, hint: "Leave one of the two out" };
    }
    const id = this.#holder(spec, next);
    if (id === undefined || id === change.id || this.#freed.has(spec.kind, id)) return undefined;
    if (change.op === "create") return id;
    return { code: "NAME_NOT_UNIQUE", message: `The ${spec.noun} ${id} has that name already` };
  }

  #holder(spec: ResourceSpec, item: Fields): string | undefined {
    return spec.identity && this.#account.holderOf(spec.kind, spec.identity(item));
  }

  #enablers(at: number): number[] {
    const checked = this.#look(this.#changes[at]!);
    const { change, spec, next } = checked;
    const found: number[] = [];
    const codes = new Set((this.#problems.get(at) ?? []).filter(isSure).map(({ code }) => code));
    const id = this.#holder(spec, next);
    if (id !== undefined) found.push(...[this.#freed.get(spec.kind, id) ?? []].flat());
    if (codes.has("BID_GT_BUDGET")) {
      const campaignId = this.#context.account.campaignOf(checked)?.["campaignId"];
      found.push(
        ...this.#positions(({ kind, id, after }) =>
          kind.endsWith(".campaigns") && id === campaignId && after["budget"] !== undefined
        ),
      );
    }
    if (codes.has("BUDGET_LOWER_THAN_BID")) {
      found.push(...this.#positions(({ kind, id, after }) => {
        const is = this.#played.get(kind, id);
        return is?.["campaignId"] === change.id && isBidder(kind) &&
          (bidField(kind) in after || isArchived(is));
      }));
    }
    if (codes.has("TYPE_CONFLICT_IN_AD_GROUP")) {
      const adGroupId = next["adGroupId"];
      found.push(
        ...this.#archives.values().filter((other) => {
          const { kind, id } = this.#changes[other]!;
          return this.#played.get(kind, id)?.["adGroupId"] === adGroupId;
        }),
      );
    }
    return [...new Set(found)];
  }

  #positions(isOne: (change: Change) => boolean): number[] {
    return [...this.#changes.keys()].filter((at) => isOne(this.#changes[at]!));
  }

  #tellLaterArchives(at: number): void {
    const change = this.#changes[at]!;
    const checked = this.#look(change);
    const { spec, next } = checked;
    const add = (place: number, problem: Problem): void => {
      this.#problems.set(place, [...this.#problems.get(place) ?? [], problem]);
    };
    if (this.#isRefused(at)) {
      if (change.op !== "create") return;
      const id = this.#holder(spec, next);
      const archive = id === undefined ? undefined : this.#archives.get(spec.kind, id);
      // One that is refused only for standing before the archive may still wait for it.
      if (
        archive === undefined || this.#ranks[archive]! > this.#ranks[at]! && !this.#judge(at).some(isSure)
      ) return;
      add(archive, {
        code: "REPLACEMENT_REFUSED",
        message: `The ${spec.noun} ${spec.label(next)} that the plan makes in its place would be refused`,
        hint: "Fix the new one, or leave it out if you only want to archive",
      });
      return;
    }
    if (archives(change)) return;
    for (const [field, kind] of Object.entries(spec.parents)) {
      const closed = this.#archives.get(kind, next[field]);
      if (closed === undefined || this.#ranks[closed]! < this.#ranks[at]!) continue;
      const name = `${this.#context.specOf(kind).noun} ${next[field]}`;
      return add(at, {
        code: "PARENT_IS_ARCHIVED_AFTERWARDS",
        message: `The plan archives its ${name} afterwards, so this has no effect`,
        hint: "Leave one of the two out, or make a plan for each",
        refused: false,
      });
    }
  }

  #isRefused(at: number): boolean {
    return (this.#problems.get(at) ?? []).some(isSure);
  }

  #waitsFor(at: number, other: number): boolean {
    const { needs, levels } = this.#graph;
    if (levels[at]! <= levels[other]!) return false;
    return needs[at]!.some((need) => need === other || this.#waitsFor(need, other));
  }

  #look(change: Change): CheckedChange {
    const { account, specOf } = this.#context;
    const spec = specOf(change.kind);
    const entity = change.op === "create" ? undefined : account.entity(change.kind, change.id);
    const after = refsIn(change.after).length === 0 ? change.after : withRefs(change.after, (ref) => {
      // A reference to an entity that is there already is its id.
      return this.#changes[this.#graph.positions.get(ref) ?? -1]?.id ?? { ref };
    });
    const next = change.op === "archive" ? { ...entity } : { ...entity, ...after };
    return { change, spec, entity, next };
  }

  #view(account: PreflightContext["account"]): AccountView {
    const entity = (kind: string, id: unknown): Fields | undefined => {
      if (!isChangeRef(id)) {
        const idOrNone = typeof id === "string" ? id : null;
        return this.#played.get(kind, id) ?? known(account.entity(kind, idOrNone));
      }
      const named = this.#changes[this.#graph.positions.get(id.ref) ?? -1];
      return named === undefined || named.op === "create"
        ? this.#created.get(id.ref)
        : entity(kind, named.id);
    };
    return {
      unread: account.unread,
      entity,
      holds: (kind, id) =>
        this.#held.has(`${kind} ${placeText(id)}`) ||
        account.holds(kind, id).some((held) => !this.#archives.has(kind, held)),
      highestBid: (campaignId) => this.#highestBid(campaignId, account.highestBid(campaignId)),
      liveKeywords: (...place) => this.#keywords().in(...place),
      archivedByPlan: (kind, id) => this.#archives.has(kind, id),
      campaignOf: ({ spec, next }) => {
        const kinds = placeKinds(spec.kind);
        const id = (kinds && entity(kinds.adGroups, next["adGroupId"])?.["campaignId"]) ?? next["campaignId"];
        return kinds && entity(kinds.campaigns, id);
      },
    };
  }

  #highestBid(campaignId: string, untouched: AccountBid | undefined): AccountBid | undefined {
    let highest = untouched;
    for (const { kind, id } of this.#bidders().get(campaignId) ?? []) {
      const entity = this.#context.account.entity(kind, id);
      if (entity === undefined || isArchived(entity)) continue;
      const bid = comparedBid(kind, entity);
      if (bid > (highest?.bid ?? 0)) highest = { kind, bid };
    }
    return highest;
  }

  #live: LiveKeywords | undefined;

  #keywords(): LiveKeywords {
    return this.#live ??= new LiveKeywords(
      this.#changes.filter(({ kind }) => /^s[pb]\.keywords$/.test(kind)).map((change) => this.#look(change)),
      this.#account,
    );
  }

  #touched: Map<string, Change[]> | undefined;

  #bidders(): ReadonlyMap<string, readonly Change[]> {
    return this.#touched ??= Map.groupBy(
      this.#changes.filter(({ kind, id }) => isBidder(kind) && id !== null),
      ({ kind, id }) => String(this.#context.account.entity(kind, id)?.["campaignId"]),
    );
  }
}

type AccountBid = { readonly kind: string; readonly bid: number };

function archives({ op, after }: Change): boolean {
  return op === "archive" || op === "update" && String(after["state"]).toUpperCase() === "ARCHIVED";
}

function identityKey(spec: ResourceSpec, entity: Fields): string | undefined {
  return spec.identity === undefined ? undefined : `${spec.kind} ${spec.identity(entity)}`;
}

function isBidder(kind: string): boolean {
  return kind === "sp.ad_groups" || kind === "sp.keywords" || kind === "sp.targets";
}

function placeText(id: unknown): string {
  return isChangeRef(id) ? `new ${id.ref}` : String(id);
}

function isSure({ refused = true }: Problem): boolean {
  return refused;
}

function alreadyThere({ spec, next }: CheckedChange, id: string): Finding {
  return {
    code: "ALREADY_THERE",
    level: "note",
    message: `The ${spec.noun} ${spec.label(next)} is there already, ${id}: it is left out`,
    hint: "Plan an update to change it",
  };
}

function findingOf(
  { code, message, allowed, hint = hintFor(code, ""), refused = true, level = "advise" }: Problem,
  at: number,
): Finding {
  return {
    code,
    level,
    change: at,
    message,
    ...(allowed === undefined ? {} : { allowed }),
    ...(hint === undefined ? {} : { hint }),
    ...(refused ? { refused } : {}),
  };
}
