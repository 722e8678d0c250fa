/** Action of an operation on the entities of its set; `other` without a set. */
export type Verb = "list" | "get" | "create" | "update" | "delete" | "other";

/** An operation that the general family responds to. */
export interface GeneralOperation {
  /** Slug of its API. */
  readonly api: string;
  readonly name: string;
  readonly method: string;
  /** Path with placeholders. */
  readonly path: string;
  /** Action of the operation. */
  readonly verb: Verb;
  /** Path of the set of entities that it works on, with placeholders. */
  readonly set: string;
  /** Placeholder of one entity, when the path names one. */
  readonly idParam?: string;
}

type Place = Pick<GeneralOperation, "verb" | "set" | "idParam">;

const UNIFIED_VERBS: Readonly<Record<string, Verb>> = {
  create: "create",
  query: "list",
  retrieve: "list",
  update: "update",
  delete: "delete",
};

/** Derives the action of an operation from its method and path. */
export function placeOf(method: string, path: string): Place {
  const unified = /^(\/adsApi\/v1)\/(create|query|retrieve|update|delete)\/([^/]+)/.exec(path);
  if (unified !== null) {
    const [, base, verb = "", entity] = unified;
    return { verb: UNIFIED_VERBS[verb] ?? "other", set: `${base}/${entity}` };
  }
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const parent = segments.slice(0, -1).join("/").replace(/\/extended$/, "");
  if (method === "POST" && /^(list|query|search)$/.test(last)) return { verb: "list", set: parent };
  if (method === "POST" && last === "delete") return { verb: "delete", set: parent };
  if (method === "GET" && last === "extended") return { verb: "list", set: parent };
  if (last.startsWith("{")) {
    const idParam = last.slice(1, -1);
    const verb = { GET: "get", PUT: "update", PATCH: "update", DELETE: "delete" }[method];
    return isVerb(verb) ? { verb, set: parent, idParam } : { verb: "other", set: path };
  }
  const verb = { GET: "list", POST: "create", PUT: "update", PATCH: "update" }[method];
  return { verb: isVerb(verb) ? verb : "other", set: path };
}

function isVerb(verb: string | undefined): verb is Verb {
  return verb !== undefined;
}

/** The operations of an API, those left to themselves that form no set with a create and a way to look at what it made. */
export function inSets(operations: readonly GeneralOperation[]): GeneralOperation[] {
  const verbs = new Map<string, Set<Verb>>();
  for (const { set, verb } of operations) verbs.set(set, (verbs.get(set) ?? new Set()).add(verb));
  return operations.map((operation) => {
    const known = verbs.get(operation.set);
    const isSet = known?.has("create") && (known.has("list") || known.has("get"));
    return isSet ? operation : { ...operation, verb: "other" };
  });
}
