import { isDeepStrictEqual } from "node:util";
import { expandNode, type ShortOperation } from "../../../src/platform/schema/api_shapes.ts";
import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";
import type { SchemaFacts } from "./schema_listing.ts";

/** What one set of shapes says that another did not, a readable line each: a field that was added, a value that is gone. */
export function schemaChanges(before: SchemaFacts, after: SchemaFacts): string[] {
  const lines: string[] = [];
  const known = new Map(before.map((api) => [api.api, api]));
  for (const { api, models, operations } of after) {
    const old = known.get(api);
    known.delete(api);
    const pairs = [
      ...both(old?.operations ?? {}, operations).map(([name, from, to]) => ({ name, ...parts(from, to) })),
      ...both(old?.models ?? {}, models).map(([name, from, to]) => ({
        name,
        from: { "": from === undefined ? undefined : expandNode(from) },
        to: { "": to === undefined ? undefined : expandNode(to) },
      })),
    ];
    for (const { name, from, to } of pairs) {
      const subject = `${api}:${name}`;
      const kind = Object.hasOwn(operations, name) || Object.hasOwn(old?.operations ?? {}, name)
        ? ""
        : "model ";
      if (isEmpty(from)) lines.push(`${kind}${subject} is described now`);
      else if (isEmpty(to)) lines.push(`${kind}${subject} is not described any more`);
      else {
        for (const [part, was, is] of both(from, to)) {
          lines.push(
            ...differences(was, is).map((line) => `${kind}${subject} ${part} ${line}`.replace(/ +/g, " ")),
          );
        }
      }
    }
  }
  for (const api of known.keys()) lines.push(`${api} is not described any more`);
  return lines.sort();
}

type Shapes = Readonly<Record<string, SchemaNode | undefined>>;

function parts(
  from: ShortOperation | undefined,
  to: ShortOperation | undefined,
): { from: Shapes; to: Shapes } {
  return { from: partsOf(from), to: partsOf(to) };
}

function partsOf(operation: ShortOperation | undefined): Shapes {
  if (operation === undefined) return {};
  const { p = {}, b = {}, br, r = {} } = operation;
  const named: [string, SchemaNode][] = [
    ["operation", { type: "object", required: br === 1 ? ["body"] : [] }],
    ...Object.entries(p).map(([place, short]): [string, SchemaNode] => [place, expandNode(short)]),
    ...Object.entries(b).map(([type, short]): [string, SchemaNode] => [`body ${type}`, expandNode(short)]),
    ...Object.entries(r).flatMap(([status, types]) =>
      Object.entries(types).map((
        [type, short],
      ): [string, SchemaNode] => [`${status} ${type}`, expandNode(short)])
    ),
  ];
  return Object.fromEntries(named);
}

function isEmpty(shapes: Readonly<Record<string, unknown>>): boolean {
  return Object.values(shapes).every((shape) => shape === undefined);
}

function both<A>(
  before: Readonly<Record<string, A | undefined>>,
  after: Readonly<Record<string, A | undefined>>,
): [name: string, before: A | undefined, after: A | undefined][] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.map((name) => [name, before[name], after[name]]);
}

function differences(from: SchemaNode | undefined, to: SchemaNode | undefined, path = ""): string[] {
  const at = path === "" ? "" : `${path}: `;
  if (isDeepStrictEqual(from, to)) return [];
  if (from === undefined) return [`${at}added`];
  if (to === undefined) return [`${at}gone`];
  const lines: string[] = [];
  for (const [name, was, is] of both(from.properties ?? {}, to.properties ?? {})) {
    const inner = path === "" ? name : `${path}.${name}`;
    if (was === undefined) lines.push(`${inner}: field added`);
    else if (is === undefined) lines.push(`${inner}: field gone`);
    else lines.push(...differences(was, is, inner));
  }
  for (const name of only(to.required, from.required)) {
    lines.push(`${path === "" ? "" : `${path}.`}${name}: required now`);
  }
  for (const name of only(from.required, to.required)) {
    lines.push(`${path === "" ? "" : `${path}.`}${name}: no longer required`);
  }
  for (const value of only(to.enum, from.enum)) lines.push(`${at}enum value ${String(value)} added`);
  for (const value of only(from.enum, to.enum)) lines.push(`${at}enum value ${String(value)} gone`);
  lines.push(...differences(from.items, to.items, `${path}[]`));
  const rest = ({ properties: _, required: __, enum: ___, items: ____, ...others }: SchemaNode) => others;
  for (const [keyword, was, is] of both<unknown>({ ...rest(from) }, { ...rest(to) })) {
    if (!isDeepStrictEqual(was, is)) lines.push(`${at}${keyword} ${text(was)} → ${text(is)}`);
  }
  return lines;
}

function only(list: readonly unknown[] = [], others: readonly unknown[] = []): unknown[] {
  return list.filter((value) => !others.includes(value));
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? "none";
  return json.length > 100 ? `${json.slice(0, 97)}...` : json;
}
