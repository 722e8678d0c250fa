import { deepEqual, ok } from "../support/assert.ts";
import type { ProfileClient } from "../../mod.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { prepareCreates, prepareUpdates } from "../../src/client/entities/model/check_items.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import type { Fields, ResourceWire } from "../../src/client/entities/model/resource_wire.ts";
import { isUnderstood, writesOf } from "../../src/client/write_guard.ts";
import { CONTRACT_KINDS, type Parents } from "../entities/contract_kinds.ts";
import { publishedBodies, type PublishedField } from "../support/published_fields.ts";
import { emulated } from "../support/emulated.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const bodyOf = publishedBodies();
const PARENTS = new Proxy({}, { get: (_, name) => `10${String(name).length}` }) as Parents;

/** The request that a wire makes of an item. */
async function requestOf(
  us: ProfileClient,
  wire: ResourceWire,
  op: "create" | "update",
  item: Fields,
): Promise<Sent> {
  let sent: Sent | undefined;
  const scope = Object.create(us, {
    request: {
      value: (method: string, path: string, options: Omit<Sent, "method" | "path"> = { json: undefined }) => {
        if (method === "GET" || /query|list$|accounts/i.test(path)) return us.request(method, path, options);
        sent = { method, path, json: options.json, ...options.headers && { headers: options.headers } };
        return Promise.reject(new Error("recorded"));
      },
    },
  });
  const result = await wire[op](scope, [item], {}).catch(String);
  ok(sent !== undefined, `${op} of ${JSON.stringify(item)}: ${JSON.stringify(result)}`);
  return sent;
}

/** The body with a field set. */
function withField(body: unknown, [name, ...rest]: PublishedField["path"], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === "number") {
    const list = Array.isArray(body) ? [...body] : [];
    list[name] = withField(list[name], rest, value);
    return list;
  }
  const fields: Fields = typeof body === "object" && body !== null ? { ...body } : {};
  fields[name] = withField(fields[name], rest, value);
  return fields;
}

/** The items that judges see of a request; `undefined` for one that is refused unless its operation is listed. */
async function judged(us: ProfileClient, kind: string, request: Sent): Promise<string | undefined> {
  const sent = { ...request, baseUrl: "", idempotent: false };
  const found = (await writesOf(sent, us)).find((one) => one.kind === kind);
  if (found === undefined || !found.isAll || found.write.isPart) return undefined;
  const { spec, write: { op, items } } = found;
  return items.every((item) => isUnderstood(item, spec))
    ? JSON.stringify([op, items], (_, value) => value ?? null)
    : undefined;
}

for (const name of ["legacy", "unified"] as const) {
  Deno.test(`every published field of a write is judged or refused, and none is overlooked (${name} wire)`, async () => {
    await using world = await emulated({ client: { wire: name, onWarning: () => {} }, checkRequests: false });
    const { us } = world;
    const overlooked: string[] = [];
    let seen = 0;
    for (const { kind, item, changes, lacking = [] } of CONTRACT_KINDS) {
      const spec: ResourceSpec | undefined = Object.entries(KINDS).find(([one]) => one === kind)?.[1];
      const late = name === "legacy" ? spec?.wire : spec?.unified;
      if (spec === undefined || late === undefined) continue;
      const wire = await late.load();
      const operations = wire.operations ?? spec.operations as Record<string, string | readonly string[]>;
      for (const op of ["create", "update"] as const) {
        const given = op === "create" ? item(PARENTS, 1) : { [spec.idField]: "1", ...changes(1)[0] };
        const kept = Object.fromEntries(
          Object.entries(given).filter(([field]) => name === "legacy" || !lacking.includes(field)),
        );
        const [fresh = {}] = op === "create" ? prepareCreates(spec, [kept]) : prepareUpdates(spec, [kept]);
        const base = await requestOf(us, wire, op, fresh);
        ok(await judged(us, kind, base) !== undefined, `${op} of ${kind} is judged`);
        for (const id of [operations[op] ?? []].flat()) {
          const { method, path, fields } = bodyOf(id);
          const request = { ...base, method, path: base.path.startsWith("/adsApi") ? base.path : path };
          for (const field of fields) {
            const [first, second] = await Promise.all(
              field.values.map((value) =>
                judged(us, kind, { ...request, json: withField(request.json, field.path, value) })
              ),
            );
            if (first !== undefined) seen++;
            if (first !== undefined && first === second) {
              overlooked.push(`${id} ${kind} ${field.path.join(".")}`);
            }
          }
        }
      }
    }
    ok(seen > 150, `${seen} fields are judged`);
    deepEqual(overlooked, []);
  });
}
