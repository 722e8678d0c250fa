import { canonicalJson, sameValue } from "../../internal/canonical_json.ts";
import { fieldsOf, withoutFields } from "../../internal/fields_of.ts";
import { marketOf } from "../../markets.ts";
import type { EntityFields } from "../change.ts";
import { isEnabled, runsLonger, type Step } from "./plan_state.ts";
import { GLOBAL_CAMPAIGNS, idText, known, type Looked, Unread } from "./prior_state.ts";

const COPY = "sp.campaigns";

/**
 * The steps of a plan with a change of a global campaign as what it does to its copy in each marketplace: a campaign with
 * a budget in the currency there. Judges of money weigh these, since an amount means nothing without its marketplace.
 *
 * @param countryCode Country of the profile.
 */
export function withCopies(steps: readonly Step[], countryCode: string): Step[] {
  return steps.flatMap((step) => copySteps(step, countryCode));
}

/** The steps of the copies of a global campaign that change; the step itself for any other, or where no copy is known. */
export function copySteps(step: Step, countryCode: string): readonly Step[] {
  if (step.change.kind !== GLOBAL_CAMPAIGNS) return [step];
  const countries = new Set(
    [known(step.before), step.after].flatMap((fields) => Object.keys(fieldsOf(fields?.["marketplaces"]))),
  );
  if (countries.size === 0) return [step];
  return [...countries].flatMap((country) => copyStep(step, { country, own: countryCode }) ?? []);
}

function copyStep(step: Step, { country, own }: { country: string; own: string }): Step | undefined {
  const { op, change, wakes } = step;
  const before: Looked = step.before instanceof Unread
    ? step.before
    : step.before && copyFields(step.before, country);
  const was = known(before);
  const after = copyFields(step.after, country);
  const named = op === "archive"
    ? ["state"]
    : Object.keys(after).filter((field) => !sameValue(was?.[field], after[field]));
  const emptied = Object.keys(was ?? {}).filter((field) => !(field in after));
  if (op === "update" && named.length + emptied.length === 0) return undefined;
  const id = idText(was?.["campaignId"]) ?? null;
  const pick = (fields: EntityFields | undefined): EntityFields =>
    Object.fromEntries(
      [...named, ...emptied].flatMap((name) => fields?.[name] === undefined ? [] : [[name, fields[name]]]),
    );
  const wakesHere = op !== "archive" && isEnabled(after) &&
    (was === undefined ? wakes : !isEnabled(was) || runsLonger(was, after));
  const market = marketOf(country);
  const currency = market?.currency ?? "";
  const rebids = named.includes("dynamicBidding");
  return {
    ...step,
    change: {
      ...change,
      kind: COPY,
      id,
      label: `${change.label} in ${country}`,
      before: pick(was),
      after: { ...pick(after), ...Object.fromEntries(emptied.map((field) => [field, null])) },
      ...(change.id === null ? {} : { campaignId: change.id }),
    },
    before,
    after,
    campaign: { kind: COPY, id: id ?? undefined, before: was, after, isSure: true },
    identity: canonicalJson([COPY, country, was?.["name"] ?? after["name"]]).toLowerCase(),
    wakes: wakesHere,
    below: op === "update" && (wakesHere || rebids)
      ? new Unread(`the bids below its copy in ${country} are not read with it`)
      : undefined,
    market: { country, currency, isForeign: currency !== marketOf(own)?.currency },
  };
}

/** A copy of a global campaign as a campaign: what its marketplace overrides in place of the rest, and its own budget. */
export function copyFields(campaign: EntityFields, country: string): EntityFields {
  const { budget, ...overrides } = fieldsOf(fieldsOf(campaign["marketplaces"])[country]);
  return {
    ...withoutFields(campaign, ["campaignId", "marketplaces", "extendedData"]),
    ...overrides,
    ...(budget === undefined ? {} : { budget: { budget, budgetType: "DAILY" } }),
  };
}
