import type { BrandsKeywordKind } from "../sponsored_brands/keyword_kind.ts";
import {
  archiveOneKeyword,
  createKeyword,
  type KeywordVerdict,
  updateKeyword,
} from "../sponsored_brands/write_keywords.ts";
import {
  archiveOneTarget,
  type BrandsTargetKind,
  createTarget,
  updateTarget,
} from "../sponsored_brands/targets.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { changeOne, createOne } from "../../entities/flat_writes.ts";
import type { FlatProblem, FlatVerdict } from "../../entities/flat_verdict.ts";
import type { JsonObject } from "../../core/json.ts";
import { archiveEntity, createEntity, updateEntity } from "../../entities/write_entities.ts";
import type { Verdict } from "../../entities/batch.ts";
import type { EntityRules, RuleContext } from "../../entities/entity_resource.ts";
import { fromFlatProblem, fromItemError, fromKeywordProblem, type UnifiedError } from "./unified_error.ts";

export type Outcome = { readonly entity: JsonObject } | { readonly errors: readonly UnifiedError[] };

export interface Engine {
  create(draft: JsonObject, context: RuleContext): Outcome;
  update(patch: JsonObject, context: RuleContext): Outcome;
  archive(id: string, context: RuleContext): Outcome;
}

export function productEngine(
  resource: EntityRules,
  names: Readonly<Record<string, string>> = {},
): Engine {
  const outcome = (verdict: Verdict): Outcome =>
    "entity" in verdict ? verdict : { errors: verdict.errors.map((error) => fromItemError(error, names)) };
  return {
    create: (draft, context) => outcome(createEntity(resource, draft, context)),
    update: (patch, context) => outcome(updateEntity(resource, patch, context)),
    archive: (id, context) => outcome(archiveEntity(resource, id, context)),
  };
}

/** Always creates the target enabled, then pauses it if needed. */
export function brandsTargetEngine(kind: BrandsTargetKind, names: Readonly<Record<string, string>>): Engine {
  const outcome = (verdict: string | FlatProblem, { profile }: RuleContext): Outcome =>
    typeof verdict === "string"
      ? { entity: profile.collection(kind.kind).get(verdict)! }
      : { errors: [fromKeywordProblem(verdict, names)] };
  return {
    create: ({ state, ...draft }, context) => {
      const id = createTarget(kind, draft, context);
      if (typeof id !== "string" || state !== "paused") return outcome(id, context);
      return outcome(updateTarget(kind, { targetId: id, state }, context), context);
    },
    update: (patch, context) => outcome(updateTarget(kind, patch, context), context),
    archive: (id, context) => outcome(archiveOneTarget(kind, id, context), context),
  };
}

/** Always creates the keyword enabled, then pauses it if needed. */
export function keywordEngine(kind: BrandsKeywordKind, names: Readonly<Record<string, string>>): Engine {
  const outcome = (verdict: KeywordVerdict, { profile }: RuleContext): Outcome =>
    "code" in verdict
      ? { errors: [fromKeywordProblem(verdict, names)] }
      : { entity: profile.collection(kind.collection).get(verdict.keywordId)! };
  return {
    create: ({ state, ...draft }, context) => {
      const verdict = createKeyword(kind, draft, context);
      if ("code" in verdict || state !== "paused") return outcome(verdict, context);
      const { keywordId } = verdict;
      const patch = { keywordId, campaignId: draft.campaignId, adGroupId: draft.adGroupId, state };
      return outcome(updateKeyword(kind, patch, context), context);
    },
    update: (patch, context) => outcome(updateKeyword(kind, patch, context), context),
    archive: (id, context) => outcome(archiveOneKeyword(kind, id, context), context),
  };
}

export function displayEngine(resource: FlatResource, names: Readonly<Record<string, string>> = {}): Engine {
  const outcome = (verdict: FlatVerdict, { profile }: RuleContext): Outcome =>
    "id" in verdict
      ? { entity: profile.collection(resource.kind).get(verdict.id)! }
      : { errors: [fromFlatProblem(verdict, names)] };
  return {
    create: (draft, context) => outcome(createOne(resource, draft, context), context),
    update: ({ [resource.idField]: id, ...changes }, context) =>
      outcome(changeOne(resource, String(id), changes, context), context),
    archive: (id, context) => outcome(changeOne(resource, id, { state: "archived" }, context), context),
  };
}
