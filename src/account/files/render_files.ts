import { sameValue } from "../../base/json/canonical_json.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountNode, AccountReading } from "./account_reading.ts";
import { type AccountSettings, isManaged } from "./account_settings.ts";
import { entityKey, inFileOrder, keyFields } from "./entity_key.ts";
import { entityInFile, type FileKind, hasPortfolio, PORTFOLIO_KEY } from "./file_kinds.ts";
import { yamlMap, yamlString, yamlValue } from "./yaml_file.ts";

export const SCHEMA_FOLDER = ".schema";

export class FileRenderer {
  readonly #settings: AccountSettings;
  readonly #portfolioNames: ReadonlyMap<string, string>;
  readonly #kept: ReadonlyMap<AccountNode, Fields>;

  constructor(
    settings: AccountSettings,
    reading: AccountReading,
    kept: ReadonlyMap<AccountNode, Fields> = new Map(),
  ) {
    this.#settings = settings;
    this.#kept = kept;
    this.#portfolioNames = uniqueNames(reading.portfolios);
  }

  campaign(folder: string, node: AccountNode): string {
    const lines = [`# yaml-language-server: $schema=../${SCHEMA_FOLDER}/${folder}.json`];
    this.#block(node, { indent: "", lines });
    return lines.join("\n") + "\n";
  }

  portfolios(nodes: readonly AccountNode[]): string {
    const lines = [`# yaml-language-server: $schema=${SCHEMA_FOLDER}/portfolios.json`, "portfolios:"];
    if (nodes.length === 0) lines[1] = "portfolios: []";
    for (const { node, needsId } of this.#ordered(nodes)) this.#item(node, { indent: "  ", lines, needsId });
    return lines.join("\n") + "\n";
  }

  fields(node: AccountNode): Fields {
    const { kind, entity } = node;
    const source = {
      ...entityInFile(kind, entity),
      ...this.#kept.get(node),
    };
    const fixed = keyFields(kind);
    const defaults = this.#settings.defaults[kind.kind];
    const fields: Fields = {};
    for (const name in kind.fields) {
      const value = filled(source[name]);
      if (value === undefined) continue;
      if (!fixed.includes(name) && !isManaged(this.#settings, kind.kind, name)) continue;
      if (defaults !== undefined && Object.hasOwn(defaults, name) && sameValue(defaults[name], value)) {
        continue;
      }
      fields[name] = value;
    }
    return hasPortfolio(kind) ? { ...fields, ...this.#portfolio(kind, entity) } : fields;
  }

  #portfolio(kind: FileKind, { portfolioId }: Fields): Fields {
    if (typeof portfolioId !== "string" || !isManaged(this.#settings, kind.kind, PORTFOLIO_KEY)) return {};
    const name = this.#portfolioNames.get(portfolioId);
    return { [PORTFOLIO_KEY]: name ?? { id: portfolioId } };
  }

  #block(node: AccountNode, { indent, lines }: { indent: string; lines: string[] }): void {
    for (const [name, value] of Object.entries(this.fields(node))) {
      lines.push(`${indent}${name}: ${yamlValue(value)}`);
    }
    for (const kind of node.kind.children) {
      const children = node.children.filter((child) => child.kind === kind);
      if (children.length === 0) continue;
      lines.push(`${indent}${kind.list}:`);
      for (const { node: child, needsId } of this.#ordered(children)) {
        this.#item(child, { indent: `${indent}  `, lines, needsId });
      }
    }
    for (const { kind, entity } of node.withoutId) {
      const fields = this.fields({ kind, id: "", entity, children: [], withoutId: [] });
      lines.push(
        `${indent}# In ${kind.list}, but without an id, so it cannot be changed: ${yamlMap(fields)}`,
      );
    }
  }

  #item(
    node: AccountNode,
    { indent, lines, needsId }: { indent: string; lines: string[]; needsId: boolean },
  ): void {
    const id = needsId ? { id: node.id } : {};
    if (node.kind.isLine) {
      lines.push(`${indent}- ${yamlMap({ ...id, ...this.fields(node) })}`);
      return;
    }
    const own: string[] = needsId ? [`${indent}  id: ${yamlString(node.id)}`] : [];
    this.#block(node, { indent: `${indent}  `, lines: own });
    own[0] = `${indent}- ${(own[0] ?? "{}").trimStart()}`;
    for (const line of own) lines.push(line);
  }

  #ordered(nodes: readonly AccountNode[]): { node: AccountNode; needsId: boolean }[] {
    const keyed = nodes.map((node) => ({ node, id: node.id, key: keyOf(node.kind, node.entity) }));
    const counts = new Map<string, number>();
    for (const { key } of keyed) counts.set(key, (counts.get(key) ?? 0) + 1);
    return inFileOrder(keyed).map(({ node, key }) => ({ node, needsId: (counts.get(key) ?? 0) > 1 }));
  }
}

function uniqueNames(portfolios: readonly AccountNode[]): Map<string, string> {
  const groups = Map.groupBy(portfolios, ({ entity }) => String(entity["name"]).trim().toLowerCase());
  return new Map(
    [...groups.values()].flatMap(([first, ...others]) =>
      first === undefined || others.length > 0 ? [] : [[first.id, String(first.entity["name"])] as const]
    ),
  );
}

function keyOf(kind: FileKind, entity: Fields): string {
  return entityKey(kind, entity);
}

function filled(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((part) => filled(part) ?? part);
  if (typeof value !== "object") return value;
  const parts = Object.entries(value).map(([name, part]) => [name, filled(part)] as const)
    .filter(([, part]) => part !== undefined);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
