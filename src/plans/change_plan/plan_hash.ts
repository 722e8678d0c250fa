import { canonicalParts } from "../../base/json/canonical_json.ts";
import { TextHash } from "../../base/runtime/text_hash.ts";
import type { PlanData } from "../model/plan_data.ts";
import { ChangeTexts, OWN_WORDS } from "./change_texts.ts";

export class PlanHash {
  readonly #hash = new TextHash();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(change: string): void {
    this.#hash.update(this.#length === 0 ? '{"changes":[' : ",");
    this.#hash.update(change);
    this.#length += 1;
  }

  hex(others: object): string {
    this.#hash.update(this.#length === 0 ? '{"changes":[]' : "]");
    let separator = ",";
    for (const part of canonicalParts(others)) {
      this.#hash.update(separator === "" ? part : separator + part.slice(1));
      separator = "";
    }
    return this.#hash.hex();
  }
}

export type FingerprintedPlan = Pick<
  PlanData,
  "profileId" | "countryCode" | "changes" | "experiment" | "rehearsal"
>;

export function planFingerprint(
  { profileId, countryCode, changes, experiment, rehearsal }: FingerprintedPlan,
): string {
  const hash = new PlanHash();
  const texts = new ChangeTexts(OWN_WORDS);
  for (const change of changes) hash.add(texts.canonical(change));
  return hash.hex({
    profile_id: profileId,
    country_code: countryCode,
    ...(experiment === null ? {} : { experiment }),
    ...(rehearsal === null ? {} : { rehearsal }),
  });
}
