import { isObject } from "../../base/json/fields_of.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { type AccountSettings, unknownKey } from "./account_settings.ts";
import { CAMPAIGN_KINDS, type FileKind, hasPortfolio, PORTFOLIO_KEY, PORTFOLIO_KIND } from "./file_kinds.ts";
import type { FileProblem } from "./file_problem.ts";
import { type FilePath, readYamlFile, type YamlFile } from "./yaml_file.ts";

/** An entity as read from a file; variables, markets and currencies are not resolved yet. */
export interface FileEntity {
  readonly kind: FileKind;
  readonly fields: Fields;
  /** Set only if the name does not identify the entity. */
  readonly id?: string;
  readonly children: readonly FileEntity[];
  readonly yaml: YamlFile;
  readonly path: FilePath;
}

export interface FileCampaign extends FileEntity {
  readonly markets?: readonly string[];
}

export interface FileContents {
  readonly settings: AccountSettings;
  readonly campaigns: readonly FileCampaign[];
  readonly portfolios: readonly FileEntity[];
  readonly problems: readonly FileProblem[];
  readonly isNew: (path: string) => boolean;
}

const ID_KEY = "id";
const MARKETS_KEY = "markets";

export function readCampaignFile(
  file: string,
  text: string,
  settings: AccountSettings,
): { campaign?: FileCampaign; problems: readonly FileProblem[] } {
  const yaml = readYamlFile(file, text);
  const kind = CAMPAIGN_KINDS[file.split("/")[0] ?? ""];
  if (yaml.problems.length > 0 || kind === undefined) return { problems: yaml.problems };
  const reader = new EntityReader(yaml, settings);
  const entity = reader.entity(kind, yaml.data, []);
  const { [MARKETS_KEY]: markets, ...fields } = entity?.fields ?? {};
  if (markets !== undefined && !isCodes(markets)) {
    reader.problems.push(yaml.problem([MARKETS_KEY], "is not a list of market codes, such as [US, CA]"));
  }
  if (entity === undefined) return { problems: reader.problems };
  const campaign = { ...entity, fields, ...(isCodes(markets) ? { markets } : {}) };
  return { campaign, problems: reader.problems };
}

export function readPortfolioFile(
  file: string,
  text: string,
  settings: AccountSettings,
): { entities: readonly FileEntity[]; problems: readonly FileProblem[] } {
  const yaml = readYamlFile(file, text);
  if (yaml.problems.length > 0) return { entities: [], problems: yaml.problems };
  const reader = new EntityReader(yaml, settings);
  const { portfolios, ...others } = isObject(yaml.data) ? yaml.data : { portfolios: yaml.data };
  for (const key of Object.keys(others)) {
    reader.problems.push(yaml.problem([key], unknownKey(key, ["portfolios"])));
  }
  return { entities: reader.list(PORTFOLIO_KIND, portfolios, ["portfolios"]), problems: reader.problems };
}

class EntityReader {
  readonly problems: FileProblem[] = [];
  readonly #yaml: YamlFile;
  readonly #settings: AccountSettings;

  constructor(yaml: YamlFile, settings: AccountSettings) {
    this.#yaml = yaml;
    this.#settings = settings;
  }

  list(kind: FileKind, value: unknown, path: FilePath): FileEntity[] {
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value)) {
      this.#report(path, "is not a list");
      return [];
    }
    return value.flatMap((item, at) => this.entity(kind, item, [...path, at]) ?? []);
  }

  entity(kind: FileKind, value: unknown, path: FilePath): FileEntity | undefined {
    if (!isObject(value)) {
      this.#report(
        path,
        path.length === 0 ? "The file holds no campaign" : "is not a mapping of fields to values",
      );
      return undefined;
    }
    const fields: Fields = { ...this.#settings.defaults[kind.kind] };
    const children: FileEntity[] = [];
    let id: string | undefined;
    for (const [key, item] of Object.entries(value)) {
      const list = kind.children.find((child) => child.list === key);
      if (list !== undefined) children.push(...this.list(list, item, [...path, key]));
      else if (key === ID_KEY) id = this.#id(item, [...path, key]);
      else if (isKnown(kind, key, path)) fields[key] = item;
      else this.#report([...path, key], unknownKey(key, knownKeys(kind, path)));
    }
    return { kind, fields, children, yaml: this.#yaml, path, ...(id === undefined ? {} : { id }) };
  }

  #id(value: unknown, path: FilePath): string | undefined {
    if (typeof value === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(value)) return value;
    this.#report(path, typeof value === "number" ? "is a number; put ids in quotes" : "is not an id");
    return undefined;
  }

  #report(path: FilePath, message: string): void {
    this.problems.push(this.#yaml.problem(path, message));
  }
}

function isKnown(kind: FileKind, key: string, path: FilePath): boolean {
  return Object.hasOwn(kind.fields, key) || key === PORTFOLIO_KEY && hasPortfolio(kind) ||
    key === MARKETS_KEY && path.length === 0;
}

function knownKeys(kind: FileKind, path: FilePath): string[] {
  return [
    ...Object.keys(kind.fields),
    ...(hasPortfolio(kind) ? [PORTFOLIO_KEY] : []),
    ...kind.children.flatMap(({ list }) => list ?? []),
    ...(path.length === 0 ? [MARKETS_KEY] : []),
    ID_KEY,
  ];
}

function isCodes(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((code) => typeof code === "string" && /^[A-Z]{2}$/.test(code));
}
