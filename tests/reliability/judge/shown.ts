import { type Difference, fields } from "../../../src/interfaces/arena/account/account_image.ts";

/** A change as a plan shows it to the person who approves it. */
export interface PlannedChange {
  readonly profileId: string;
  readonly kind: string;
  readonly id: string | null;
  readonly op: string;
  readonly after: Readonly<Record<string, unknown>>;
}

/** The parts of an account that changed although no change of the plan shows it. */
export function notShown(shown: readonly PlannedChange[], differences: readonly Difference[]): string[] {
  const automatic = new Set(
    differences.filter(({ path, before, after }) =>
      path === "expressionType" && before === undefined && after === "AUTO"
    ).map(({ key }) => key),
  );
  return differences.flatMap(({ key, path, before, after }) => {
    const [profileId, kind, id] = key.split(" ");
    const own = shown.filter((one) => one.profileId === profileId && one.kind === kind);
    const say =
      (): string[] => [`${key} ${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)} was not shown`];
    if (own.some((one) => one.id === null)) return [];
    // The platform itself gives a new ad group of an automatic campaign its targets.
    const isAutomatic = kind === "sp.targets" && automatic.has(key);
    if (isAutomatic && shown.some((one) => one.kind === "sp.ad_groups" && one.op === "create")) return [];
    const changes = own.filter((one) => one.id === id);
    if (changes.some(({ op }) => op === "archive") && path === "state") return [];
    return changes.some((change) => isSame(partOf(change.after, path.split(".")), after)) ? [] : say();
  });
}

/** True where a line that a person read before approval asks them about an entity. */
export function isWarned(read: string, key: string): boolean {
  const [, , id = ""] = key.split(" ");
  return read.split("\n").some((line) => line.startsWith("approve: ") && line.split(/[ :]/).includes(id));
}

/** The value that a path has, or that of the last part on the way that is no object. */
function partOf(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) {
    const own = fields(part);
    if (own === undefined) return part;
    if (!(name in own)) return NOTHING;
    part = own[name];
  }
  return part;
}

/** A part that a change says nothing about. */
const NOTHING = Symbol("nothing");

/** A list of adjustments by placement, in one order; the platform adds those of 0 %. */
function placements(list: unknown): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const own = list.map((one) => fields(one) ?? {});
  if (!own.every(({ placement }) => typeof placement === "string")) return undefined;
  return own.filter(({ percentage = 0 }) => percentage !== 0).map(({ placement, percentage }) =>
    `${placement}=${percentage}`
  ).sort().join();
}

function isSame(shown: unknown, is: unknown): boolean {
  if (shown === NOTHING) return false;
  if (shown === null || shown === undefined) return is === undefined || is === null;
  if (typeof is === "number") return Number(shown) === is;
  const [listShown, listIs] = [placements(shown), placements(is)];
  if (listShown !== undefined && listIs !== undefined) return listShown === listIs;
  return inOneOrder(shown).toLowerCase() === inOneOrder(is ?? null).toLowerCase();
}

/** JSON with the fields of each object by name: the platform answers in an order of its own. */
function inOneOrder(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    const own = fields(part);
    return own === undefined
      ? part
      : Object.fromEntries(Object.entries(own).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
