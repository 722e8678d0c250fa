import { type AmountStep, readStep } from "../../account/jobs/amount_step.ts";
import { valueAt } from "../../base/json/field_path.ts";
import { isObject } from "../../base/json/fields_of.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { roundMoney } from "../../base/text/money_text.ts";
import { BadItems, UpdateChecks } from "../../client/entities/model/check_items.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { camelCase } from "../../client/entities/model/to_api.ts";
import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Finding } from "../../plans/model/finding.ts";
import { MONEY_FIELDS, plainAmount } from "../../plans/state/amounts.ts";
import { withValue } from "./edit_fields.ts";
import { kindOf } from "./write_operation.ts";

type Item = Readonly<Record<string, unknown>>;
type Entities = ReadonlyMap<string, Record<string, unknown>>;

interface Place {
  /** Position of the item, such as `item 0` or `row 3`. */
  readonly where: string;
  /** The field as the item spells it. */
  readonly name: string;
}

/**
 * Reads a change of an amount by percent or a factor. A difference is refused, because `-0.5` may as well be a wrong
 * amount.
 *
 * @throws {TypeError} when it is no such change.
 */
export function amountStep(text: string, { where, name }: Place): AmountStep {
  const step = readStep(text);
  if (typeof step !== "string" && !step.isMoney) return step;
  const written = text.trim();
  const refused = (shown: string, why: string): TypeError =>
    new TypeError(`Cannot use ${where}: "${name}" is ${JSON.stringify(shown)}, ${why}`);
  if (step === "nothing left") throw refused(written, "which leaves no amount above 0");
  if (step !== "unreadable") {
    throw refused(
      text,
      'which has a sign. Write an amount without one, and a change as "+10%" or "*1.1"',
    );
  }
  const advice = /^\d+,\d{1,2}$/.test(written)
    ? `. Write ${written.replace(",", ".")}`
    : /%$/.test(written)
    ? '. Write a change as "+10%" or "-10%", with its sign'
    : "";
  throw refused(text, `which is not a number${advice}`);
}

interface AmountText {
  /** The field as the item spells it. */
  readonly path: string;
  readonly field: string;
  readonly text: string;
}

/** Finds the amounts of an item that are texts and no plain numbers. */
export function amountTexts(item: Item): AmountText[] {
  const found: AmountText[] = [];
  const look = (path: string, field: string, value: unknown): void => {
    if (typeof value !== "string" || !MONEY_FIELDS.has(field) || plainAmount(value) !== undefined) return;
    found.push({ path, field, text: value });
  };
  for (const name in item) {
    const value = item[name];
    const field = camelCase(name);
    if (field !== "budget" || !isObject(value)) look(name, field, value);
    else {
      for (const part in value) look(`${name}.${part}`, `${field}.${camelCase(part)}`, value[part]);
    }
  }
  return found;
}

/** @throws {TypeError} with every amount that is neither a number nor a change. */
export function checkAmounts(items: readonly Item[]): void {
  const bad = new BadItems();
  for (const [index, item] of items.entries()) {
    bad.attempt(index, () => {
      for (const { path, text } of amountTexts(item)) {
        amountStep(text, { where: `item ${index}`, name: path });
      }
    });
  }
  bad.refuse();
}

/** Number of items read together, which bounds memory for long lists. */
const READ_TOGETHER = 10_000;
const MAX_ROUNDED = 5;

export interface AbsoluteItems extends Pick<PlanOptions, "entities"> {
  readonly items: readonly Item[];
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly Finding[];
}

interface Reading {
  readonly profile: ProfileClient;
  /** Kind of the items that do not name their own. */
  readonly entity: string;
  readonly signal: AbortSignal;
  readonly onRead?: ((count: number) => void) | undefined;
}

/**
 * Works out changes such as `+10%` and `*1.2` from the current amounts, rounded to the decimals of the currency. Without
 * such changes, nothing is read.
 *
 * @throws {TypeError} with every malformed item, before anything is read.
 */
export async function absoluteItems(
  items: readonly Item[],
  { profile, entity: kind, signal, onRead }: Reading,
): Promise<AbsoluteItems> {
  const absolute: Item[] = [];
  const [missing, warnings, rounded]: [string[], string[], string[]] = [[], [], []];
  if (!items.some((item) => amountTexts(item).length > 0)) return { items, missing, warnings, findings: [] };
  const specOf = ({ entity: own }: Item): ResourceSpec => profile.resource(kindOf(String(own ?? kind))).spec;
  const ids = idsOf(items, specOf);
  const decimals = decimalsOf(profile.countryCode);
  // What is planned next reads the others of a long list anyway, which would be read twice here.
  const isWhole = items.length <= READ_TOGETHER && items.every(({ entity }) => entity === undefined);
  let now = new Map<string, Entities>();
  for (const [at, item] of items.entries()) {
    if (at % READ_TOGETHER === 0) {
      const next = items.slice(at, at + READ_TOGETHER)
        .map((one, index) => ({ one, kind: specOf(one).kind, id: ids[at + index] ?? "" }))
        .filter(({ one }) => isWhole || amountTexts(one).length > 0);
      now = new Map();
      for (const [of, own] of Map.groupBy(next, (one) => one.kind)) {
        now.set(of, await profile.resource(of).getMany(own.map(({ id }) => id), { signal }));
      }
      onRead?.(at);
    }
    const texts = amountTexts(item);
    if (texts.length === 0) {
      absolute.push(item);
      continue;
    }
    const spec = specOf(item);
    const id = ids[at] ?? "";
    const entity = now.get(spec.kind)?.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    let fields = item;
    // An object without its amount is left out whole: the platform would take the rest as its new value.
    const leaveOut = (path: string, why: string): void => {
      warnings.push(`${`${spec.noun} ${id} ${spec.label(entity)}`.trim()}: ${why}`);
      fields = withValue(fields, path.split(".")[0]!, undefined);
    };
    for (const { path, field, text } of texts) {
      const step = amountStep(text, { where: `item ${at}`, name: path });
      const present = presentAmount(entity, field);
      if (present === undefined) {
        leaveOut(path, `it has no "${field}" of its own, so ${step.text} was left out`);
        continue;
      }
      const exact = Number(step.of(present).toPrecision(12));
      const amount = roundMoney(exact, decimals);
      if (!(amount > 0)) {
        leaveOut(path, `${step.text} leaves nothing of its "${field}" ${present}, so it was left out`);
        continue;
      }
      if (amount !== exact) rounded.push(`${spec.noun} ${id} ${exact} → ${amount}`);
      fields = withValue(fields, path, amount);
    }
    if (changesAnything(fields, spec)) absolute.push(fields);
  }
  return {
    items: absolute,
    missing,
    warnings,
    findings: rounded.length === 0 ? [] : [roundedAmounts(rounded)],
    ...(isWhole ? { entities: now.get(kindOf(kind)) } : {}),
  };
}

function idsOf(items: readonly Item[], specOf: (item: Item) => ResourceSpec): string[] {
  const checks = new Map<ResourceSpec, UpdateChecks>();
  const bad = new BadItems();
  const ids = items.map((item, index) =>
    bad.attempt(index, () => {
      const spec = specOf(item);
      const ofKind = checks.get(spec) ?? new UpdateChecks(spec);
      checks.set(spec, ofKind);
      let { entity: _, ...fields }: Record<string, unknown> = item;
      // Any number does, to check the rest.
      for (const { path } of amountTexts(item)) fields = withValue(fields, path, 1);
      return ofKind.prepare(fields, { index, mayBeEmpty: true }).id;
    }) ?? ""
  );
  bad.refuse();
  return ids;
}

/** Current amount of a field. For a campaign, `budget` may mean the amount inside the budget object. */
function presentAmount(entity: Item, field: string): number | undefined {
  const value = valueAt(entity, field);
  const inner = field === "budget" && isObject(value) ? value["budget"] : value;
  return typeof inner === "number" ? inner : undefined;
}

function changesAnything(item: Item, { idField }: ResourceSpec): boolean {
  return Object.entries(item).some(([name, value]) =>
    name !== "entity" && camelCase(name) !== idField &&
    !(isObject(value) && Object.keys(value).length === 0)
  );
}

function roundedAmounts(rounded: readonly string[]): Finding {
  const more = rounded.length > MAX_ROUNDED ? ` and ${rounded.length - MAX_ROUNDED} more` : "";
  return {
    code: "ROUNDED",
    level: "note",
    message: `Amounts are rounded to what the market takes: ${
      rounded.slice(0, MAX_ROUNDED).join(", ")
    }${more}`,
  };
}
