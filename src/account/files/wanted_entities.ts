import { withPlainAmounts } from "../../plans/state/amounts.ts";
import { checkKeywordText } from "../../client/entities/model/check_keyword_text.ts";
import { isDay } from "../../base/time/calendar.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import { type AccountSettings, isIgnoredCampaign, nounOf } from "./account_settings.ts";
import { entityKey, keyFields } from "./entity_key.ts";
import { type FileFieldType, type FileKind, PORTFOLIO_KEY, specOf } from "./file_kinds.ts";
import type { FileProblem } from "./file_problem.ts";
import type { FileCampaign, FileContents, FileEntity } from "./read_entities.ts";
import { UnresolvedValue, type ValuePlace, ValueResolver } from "./resolve_values.ts";

export interface WantedEntity {
  readonly source: FileEntity;
  readonly kind: FileKind;
  /** Values by platform field name; `null` clears a field. Excludes parents, portfolio and id. */
  readonly fields: Fields;
  /** `null` for no portfolio; `undefined` if the file does not specify one. */
  readonly portfolio: string | { readonly id: string } | null | undefined;
  readonly id: string | undefined;
  readonly key: string;
  readonly children: readonly WantedEntity[];
}

export interface WantedAccount {
  readonly campaigns: readonly (WantedEntity & { readonly source: FileCampaign })[];
  readonly portfolios: readonly WantedEntity[];
  readonly problems: readonly FileProblem[];
}

/**
 * Resolves the entities of the files. Also reports missing fields of new campaigns, so that all problems can be fixed
 * at once.
 *
 * @param place `undefined` resolves the files without a profile.
 */
export function wantedAccount(contents: FileContents, place: ValuePlace | undefined): WantedAccount {
  const builder = new WantedBuilder(contents.settings, place);
  const isMeant = ({ markets = contents.settings.markets }: FileCampaign): boolean =>
    place === undefined || (markets?.includes(place.countryCode) ?? true);
  const campaigns = contents.campaigns.filter(isMeant).flatMap((source) => {
    const found = builder.entity(source);
    return isIgnoredCampaign(contents.settings, found.fields["name"]) ? [] : [{ ...found, source }];
  });
  const portfolios = contents.settings.ignore.kinds.includes("portfolios")
    ? []
    : contents.portfolios.map((source) => builder.entity(source));
  builder.refuseEqual(portfolios);
  for (const product of Map.groupBy(campaigns, ({ kind }) => kind).values()) builder.refuseEqual(product);
  if (contents.problems.length + builder.problems.length > 0) {
    const added = campaigns.filter(({ id, source }) => id === undefined && contents.isNew(source.yaml.file));
    for (const campaign of added) builder.refuseIncomplete(campaign);
  }
  return { campaigns, portfolios, problems: builder.problems };
}

export function wantedLabel({ kind, fields }: Pick<WantedEntity, "kind" | "fields">): string {
  return `${nounOf(kind.kind)} ${specOf(kind).label(fields)}`.trim();
}

class WantedBuilder {
  readonly problems: FileProblem[] = [];
  readonly #settings: AccountSettings;
  readonly #resolver: ValueResolver;
  readonly #place: ValuePlace | undefined;

  constructor(settings: AccountSettings, place: ValuePlace | undefined) {
    this.#place = place;
    this.#settings = settings;
    this.#resolver = new ValueResolver(settings, place);
  }

  entity(source: FileEntity): WantedEntity {
    const { kind, id } = source;
    const fields: Fields = {};
    for (const [name, type] of Object.entries(kind.fields)) {
      const value = this.#resolved(source, name);
      if (value === undefined) continue;
      const fit = fitted(value, { kind, name, type });
      if (fit instanceof Misfit) this.#report(source, name, fit.message);
      else fields[name] = fit;
    }
    for (const name of keyFields(kind)) {
      if (specOf(kind).required.includes(name) && source.fields[name] === undefined) {
        this.#report(source, name, "is missing");
      }
    }
    const ready = normalized(kind, fields);
    const ignored = this.#settings.ignore.kinds;
    const children = source.children.filter((child) => !ignored.includes(child.kind.kind))
      .map((child) => this.entity(child));
    for (const siblings of Map.groupBy(children, (child) => child.kind).values()) this.refuseEqual(siblings);
    const portfolio = this.#portfolio(source);
    return { source, kind, fields: ready, portfolio, id, key: entityKey(kind, ready), children };
  }

  refuseEqual(entities: readonly WantedEntity[]): void {
    const seen = new Map<string, WantedEntity>();
    for (const entity of entities) {
      const text = entity.id === undefined ? `key ${entity.key}` : `id ${entity.id}`;
      const first = seen.get(text);
      if (first === undefined) seen.set(text, entity);
      else {
        const other = first.source.yaml === entity.source.yaml ? "" : `, also in ${first.source.yaml.file}`;
        const message = `The ${wantedLabel(entity)} is there twice${other}`;
        this.problems.push(entity.source.yaml.problem(entity.source.path, message));
      }
    }
  }

  refuseIncomplete(entity: WantedEntity): void {
    const { source, kind, fields, children } = entity;
    if (fields["expressionType"] === "AUTO") return;
    const required = requiredAnywhere(specOf(kind));
    for (const { field, message } of createProblems(entity, this.#place?.countryCode, required)) {
      const isReported = fields[field] === undefined &&
        (source.fields[field] !== undefined || keyFields(kind).includes(field));
      if (!isReported) this.#report(source, field, message);
    }
    for (const child of children) this.refuseIncomplete(child);
  }

  #portfolio(source: FileEntity): WantedEntity["portfolio"] {
    const value = this.#resolved(source, PORTFOLIO_KEY);
    if (value === null || value === undefined || typeof value === "string") return value;
    if (typeof value === "object" && "id" in value && typeof value.id === "string") return { id: value.id };
    this.#report(source, PORTFOLIO_KEY, 'is not a name, and not { id: "..." }');
    return undefined;
  }

  #resolved(source: FileEntity, name: string): unknown {
    try {
      return this.#resolver.value(source.fields[name], name);
    } catch (error) {
      if (!(error instanceof UnresolvedValue)) throw error;
      this.#report(source, name, error.message);
      return undefined;
    }
  }

  #report({ yaml, path }: FileEntity, field: string, message: string): void {
    this.problems.push(yaml.problem([...path, field], message));
  }
}

export function createProblems(
  { kind, fields }: Pick<WantedEntity, "kind" | "fields">,
  marketplace: string | undefined,
  required: readonly string[] = specOf(kind).required,
): { readonly field: string; readonly message: string }[] {
  const spec = specOf(kind);
  const found: { field: string; message: string }[] = [];
  for (const field of required) {
    if (Object.hasOwn(spec.parents, field) || fields[field] !== undefined) continue;
    found.push({ field, message: `is missing, and a new ${nounOf(kind.kind)} needs it` });
  }
  if (kind.kind === "sp.product_ads" && fields["asin"] === undefined && fields["sku"] === undefined) {
    found.push({ field: "asin", message: "is missing, and so is sku: a new product ad needs one of them" });
  }
  for (const [field, values] of Object.entries(spec.choices ?? {})) {
    const value = fields[field];
    if (value === undefined || values.some((one) => one === value)) continue;
    found.push({ field, message: `${JSON.stringify(value)} is not one of ${values.join(", ")}` });
  }
  const text = fields["keywordText"];
  if (typeof text === "string") {
    const matchType = String(fields["matchType"] ?? "");
    for (const { message } of checkKeywordText(text, { matchType, marketplace })) {
      found.push({ field: "keywordText", message });
    }
  }
  return found;
}

function normalized(kind: FileKind, fields: Fields): Fields {
  const { normalize } = specOf(kind);
  if (normalize === undefined) return fields;
  const days = Object.entries(fields).filter(([name]) => kind.fields[name] === "day");
  return { ...normalize(fields, undefined), ...Object.fromEntries(days) };
}

class Misfit {
  constructor(readonly message: string) {}
}

function fitted(
  value: unknown,
  { kind, name, type }: { kind: FileKind; name: string; type: FileFieldType },
): unknown {
  const { clearable = [], choices } = specOf(kind);
  if (value === null) {
    return clearable.includes(name)
      ? null
      : new Misfit("cannot be cleared; omit it to keep the current value");
  }
  const shown = JSON.stringify(value);
  const plain = withPlainAmounts({ [name]: value })[name];
  switch (type) {
    case "amount":
      return isAmount(plain) ? plain : new Misfit(`${shown} is not an amount`);
    case "budget":
      return isAmount(typeof plain === "object" && plain !== null && "budget" in plain ? plain.budget : plain)
        ? plain
        : new Misfit(`${shown} is not an amount, and not { budget, budgetType }`);
    case "marketplaces":
      return marketplacesFit(value, kind);
    case "object":
      return typeof value === "object" && !Array.isArray(value)
        ? value
        : new Misfit(`${shown} is not a mapping of fields to values`);
    case "list":
      return Array.isArray(value) ? value : new Misfit(`${shown} is not a list`);
    case "day":
      return typeof value === "string" && isDay(value)
        ? value
        : new Misfit(`${shown} is not a date in the form YYYY-MM-DD`);
    case "state":
      return stateFit(value, statesOf(kind));
    case "text":
      if (typeof value === "number" || typeof value === "boolean") {
        return new Misfit(`${shown} is not a text; put it in quotes`);
      }
      if (typeof value !== "string" || value === "") return new Misfit(`${shown} is not a text`);
      // A newer word than those known here passes.
      return spelled(value, choices?.[name] ?? []) ?? value;
  }
}

function marketplacesFit(value: unknown, kind: FileKind): unknown {
  try {
    return specOf(kind).normalize?.({ marketplaces: value }, undefined)["marketplaces"] ?? value;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new Misfit(error.message);
  }
}

function statesOf(kind: FileKind): string[] {
  const { settableStates, stateCase } = specOf(kind);
  return settableStates.map((state) => stateCase === "upper" ? state : state.toLowerCase());
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function stateFit(value: unknown, allowed: readonly string[]): unknown {
  const found = spelled(value, allowed);
  if (found !== undefined) return found;
  const hint = spelled(value, ["archived"]) === undefined
    ? ""
    : ". To archive it, remove it from the file and plan with the option prune";
  return new Misfit(`${JSON.stringify(value)} is not one of ${allowed.join(", ")}${hint}`);
}

function spelled(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined;
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  return words.find((one) => plain(one) === plain(value));
}
