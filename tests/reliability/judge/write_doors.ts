import type { ProfileClient } from "../../../mod.ts";
import { fields } from "../../../src/interfaces/arena/account/account_image.ts";
import { pickSubject, type Subject, subjects, valuesFor } from "./drawn_values.ts";
import { accountHeader } from "./drawn_account.ts";
import type { PublishedWrite } from "./published_writes.ts";
import type { Door, World } from "./world.ts";

/** Kinds with amounts, in proportion to their use. */
const MONEY_KINDS: readonly string[] = [
  ...Array(3).fill("portfolios"),
  ...Array(2).fill("sp.campaigns"),
  "sp.ad_groups",
  "sp.keywords",
  "sb.campaigns",
  "sb.keywords",
  "sd.campaigns",
  "sd.ad_groups",
  "sd.targets",
];

/** A published write with a body about the account. */
export function drawnWrite(
  world: World,
  us: ProfileClient,
  isMeant: (write: PublishedWrite) => boolean = () => true,
): { write: PublishedWrite; path: string; body: unknown; subject: Subject } | undefined {
  const { random, image } = world;
  const whole = world.writes.filter(isMeant);
  const ofMoney = whole.filter(({ isOfMoney }) => isOfMoney);
  const all = subjects(image, us.profileId);
  if (random.integer(0, 2) > 0) {
    // Portfolios are few, and their caps are objects.
    const kind = random.pick(MONEY_KINDS);
    const own = all.filter((one) => one.kind === kind);
    const meant = ofMoney.filter(({ id, path }) => kindOf(path) === kind || unified(id, kind));
    if (own.length > 0 && meant.length > 0) {
      const [write, subject] = [random.pick(meant), pickSubject(own, world)];
      return {
        write,
        path: write.path,
        body: write.body(random, valuesFor(subject, { ...world, all })),
        subject,
      };
    }
  }
  // Half of all writes go to a kind that exists here.
  for (let tries = 0; tries < 20; tries++) {
    const write = random.pick(whole);
    const kind = kindOf(write.path);
    const own = kind === undefined
      ? all
      : all.filter((one) => one.kind === kind || unified(write.id, one.kind));
    if (own.length === 0 && tries < 19) continue;
    const subject = pickSubject(own.length === 0 ? all : own, world);
    const value = valuesFor(subject, { ...world, all });
    const path = write.path.replace(/\{(\w+)\}/g, (_, name) => String(value(name, []) ?? subject.id));
    return { write, path, body: write.body(random, value), subject };
  }
  return undefined;
}

/** Kind of the entities of a path of the older wire, by the words of the path alone. */
function kindOf(path: string): string | undefined {
  const [, family = "", ...rest] = path.split("/");
  if (family === "portfolios") return "portfolios";
  const noun = rest.filter((part) => !/^(v4|delete)$/.test(part));
  if (!/^s[pbd]$/.test(family) || noun.length !== 1) return undefined;
  return `${family}.${noun[0]!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function unified(id: string, kind: string): boolean {
  const [, family, noun = ""] = /^v1-(s[pbd])-(.*)$/.exec(id.split(":")[0]!) ?? [];
  const nouns: Record<string, RegExp> = {
    campaigns: /\.campaigns$/,
    "ad-groups": /\.ad_groups$/,
    targets: /(targets|keywords)$/,
    ads: /ads$/,
  };
  return family !== undefined && kind.startsWith(`${family}.`) && nouns[noun]?.test(kind) === true;
}

/** Calls an operation. */
export const call: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const drawn = drawnWrite(world, us);
  if (drawn === undefined) return;
  moved({});
  const params = [...drawn.write.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, drawn.subject.id]);
  const body = { ...fields(drawn.body), ...Object.fromEntries(params) };
  await (us.call as (id: string, ...rest: unknown[]) => Promise<unknown>)(drawn.write.id, body, {
    check: "off",
    ...(drawn.write.id.startsWith("v1-spglobal") ? { headers: accountHeader(world.emulator) } : {}),
  });
};

/** Sends a bare request. */
export const request: Door = async (world, moved) => {
  const { random } = world;
  const us = random.pick(world.clients);
  const drawn = drawnWrite(world, us);
  if (drawn === undefined) return;
  const { write, body, path } = drawn;
  moved({});
  const odd = random.integer(0, 9) === 0
    ? random.pick([
      `${path}/`,
      path.replace("/s", "/%73"),
      `/reporting/reports/..%2f..${path.replaceAll("/", "%2f")}`,
    ])
    : path;
  await us.request(write.method, odd, {
    json: Array.isArray(body) || random.integer(0, 9) > 0 ? body : { ...fields(body), more: 1 },
    contentType: write.contentType,
    accept: write.accept ?? write.contentType,
  });
};

function idOf(item: Record<string, unknown>): unknown {
  return Object.entries(item).find(([name]) => /Id$/.test(name))?.[1];
}

/** Updates of a kind as the library takes them: those of the older wire's published body. */
export function drawnItems(
  world: World,
  us: ProfileClient,
): { kind: string; items: Record<string, unknown>[] } | undefined {
  // Most bodies without an entity or a field of it are refused in the same way: they are rarely worth a move.
  for (let tries = world.random.integer(0, 19) === 0 ? 4 : 0; tries < 5; tries++) {
    const drawn = drawnWrite(world, us, ({ method, path }) => method === "PUT" && kindOf(path) !== undefined);
    if (drawn === undefined) return undefined;
    const list = Array.isArray(drawn.body) ? drawn.body : Object.values(fields(drawn.body) ?? {})[0];
    const items = (Array.isArray(list) ? list : []).flatMap((item): Record<string, unknown>[] => {
      const own = fields(item);
      return own === undefined ? [] : [own];
    });
    const ids = items.map(idOf);
    const isUsual = items.every((item, at) =>
      ids[at] !== undefined && ids.indexOf(ids[at]) === at && Object.keys(item).length > 1
    );
    if (tries === 4 || isUsual && items.length > 0) return { kind: kindOf(drawn.write.path)!, items };
  }
  return undefined;
}

/** Some updates for one plan, mostly one of each entity. */
export function drawnUpdates(
  world: World,
  us: ProfileClient,
): { kind: string; item: Record<string, unknown> }[] {
  const { random } = world;
  const mayRepeat = random.integer(0, 9) === 0;
  const seen = new Set<unknown>();
  return Array.from({ length: random.integer(1, 3) }, () => drawnItems(world, us)).flatMap((drawn) =>
    (drawn?.items ?? []).flatMap((item) => {
      const id = idOf(item);
      if (!mayRepeat && seen.has(id)) return [];
      seen.add(id);
      return [{ kind: drawn!.kind, item }];
    })
  );
}

/** Updates entities without a plan. */
export const update: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const drawn = drawnItems(world, us);
  if (drawn === undefined) return;
  moved({});
  await us.resource(drawn.kind).update(drawn.items as never);
};

/** Creates keywords. */
export const create: Door = async (world, moved) => {
  const { random, image } = world;
  const us = random.pick(world.clients);
  const groups = subjects(image, us.profileId).filter(({ kind }) => kind === "sp.ad_groups");
  if (groups.length === 0) return;
  const group = pickSubject(groups, world);
  moved({});
  const bid = random.pick([undefined, 0.5, 1, 2, 3.5]);
  const item = {
    campaignId: group.entity["campaignId"],
    adGroupId: random.integer(0, 9) === 0 ? ` ${group.id}` : group.id,
    keywordText: `word ${random.integer(0, 5)}`,
    matchType: "EXACT",
    state: "ENABLED",
    ...(bid === undefined ? {} : { bid }),
  };
  await us.resource("sp.keywords").create([item as never]);
};

/** Archives an entity. */
export const archive: Door = async (world, moved) => {
  const { random, image } = world;
  const us = random.pick(world.clients);
  const all = subjects(image, us.profileId).filter(({ kind }) => kind !== "portfolios");
  const subject = pickSubject(all, world);
  moved({});
  await us.resource(subject.kind).delete([subject.id]);
};
