import { ChangePlan, PlanStore, type ProfileClient } from "../../../mod.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import { type AccountImage, fields } from "./account_image.ts";
import { type Subject, subjects, valuesFor } from "./drawn_values.ts";
import type { PublishedWrite } from "./published_writes.ts";
import type { PlannedChange } from "./shown.ts";

/** The world that a move is made in. */
export interface World {
  readonly random: SeededRandom;
  readonly writes: readonly PublishedWrite[];
  /** Clients under the policy: two profiles, each on both wires. */
  readonly clients: readonly ProfileClient[];
  /** The platform as it is before the move. */
  readonly image: AccountImage;
  /** Folder of plans, with their journals. */
  readonly plans: string;
  /** Plans that the folder holds. */
  readonly applied: ChangePlan[];
  /** Loses the connection at a write: before it is carried out, or after. */
  readonly loseWrite: (after: number, isCarriedOut: boolean) => void;
}

/** Plan that a person was shown, where there was one; an undo where it restores. */
export interface Moved {
  readonly shown?: readonly PlannedChange[];
  readonly isUndo?: boolean;
}

/** A way by which a write gets to the platform. Fails where the client refuses it. */
export type Door = (world: World, moved: (by: Moved) => void) => Promise<unknown>;

/** A published write with a body about the account. */
function drawnWrite(
  { random, writes, image }: World,
  us: ProfileClient,
  isMeant: (write: PublishedWrite) => boolean = () => true,
): { write: PublishedWrite; path: string; body: unknown; subject: Subject } | undefined {
  const meant = writes.filter(isMeant);
  const all = subjects(image, us.profileId);
  // Half of all writes go to a kind that exists here.
  for (let tries = 0; tries < 20; tries++) {
    const write = random.pick(meant);
    const kind = kindOf(write.path);
    const own = kind === undefined
      ? all
      : all.filter((one) => one.kind === kind || unified(write.id, one.kind));
    if (own.length === 0 && tries < 19) continue;
    const subject = random.pick(own.length === 0 ? all : own);
    const value = valuesFor(subject, { random, all });
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

const call: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const drawn = drawnWrite(world, us);
  if (drawn === undefined) return;
  moved({});
  const params = [...drawn.write.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, drawn.subject.id]);
  const body = { ...fields(drawn.body), ...Object.fromEntries(params) };
  await (us.call as (id: string, ...rest: unknown[]) => Promise<unknown>)(drawn.write.id, body, {
    check: "off",
  });
};

const request: Door = async (world, moved) => {
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

/** Updates of a kind as the library takes them: those of the older wire's published body. */
function drawnItems(
  world: World,
  us: ProfileClient,
): { kind: string; items: Record<string, unknown>[] } | undefined {
  const drawn = drawnWrite(world, us, ({ method, path }) => method === "PUT" && kindOf(path) !== undefined);
  if (drawn === undefined) return undefined;
  const list = Array.isArray(drawn.body) ? drawn.body : Object.values(fields(drawn.body) ?? {})[0];
  const items = (Array.isArray(list) ? list : []).flatMap((item): Record<string, unknown>[] => {
    const own = fields(item);
    return own === undefined ? [] : [own];
  });
  return { kind: kindOf(drawn.write.path)!, items };
}

const update: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const drawn = drawnItems(world, us);
  if (drawn === undefined) return;
  moved({});
  await us.resource(drawn.kind).update(drawn.items as never);
};

const planUpdate: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const draft = us.plan();
  for (let more = world.random.integer(1, 3); more > 0; more--) {
    const drawn = drawnItems(world, us);
    for (const item of drawn?.items ?? []) draft.update(drawn!.kind as never, item as never);
  }
  await apply(await draft.build(), us, { world, moved });
};

/** The changes that somebody writes into a plan file: with a true before, a made-up one, or none. */
function writtenChanges(world: World, us: ProfileClient): Change[] {
  const { random, image } = world;
  const all = subjects(image, us.profileId);
  return Array.from({ length: random.integer(1, 3) }, () => drawnItems(world, us)).flatMap((drawn) =>
    (drawn?.items ?? []).flatMap((item): Change[] => {
      const { kind } = drawn!;
      const idField = Object.keys(item).find((name) =>
        /Id$/.test(name) && all.some((one) => one.kind === kind && one.id === String(item[name]))
      );
      if (idField === undefined) return [];
      const id = String(item[idField]);
      const entity = all.find((one) => one.kind === kind && one.id === id)!.entity;
      const { [idField]: _, ...after } = item;
      if (random.integer(0, 5) === 0) {
        // A claim to be somewhere else.
        const elsewhere = random.pick(all.filter((one) => /campaigns$/.test(one.kind)));
        after["campaignId"] = elsewhere.id;
      }
      const before = Object.fromEntries(
        Object.keys(after).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
      );
      const claimed = random.pick([before, before, after, {}]);
      return [{ kind, op: "update", id, before: claimed, after, label: "x" }];
    })
  );
}

const planFile: Door = async (world, moved) => {
  const { random } = world;
  const us = random.pick(world.clients);
  const changes = writtenChanges(world, us);
  if (changes.length === 0) return;
  const { profileId, countryCode } = us;
  const reverses = random.integer(0, 5) === 0 ? world.applied.at(-1)?.id ?? null : null;
  const plan = new ChangePlan({ profileId, countryCode, changes, reverses });
  let text = plan.toJson();
  if (random.integer(0, 4) === 0) text = edited(text, random);
  await apply(ChangePlan.fromJson(text), us, { world, moved });
};

/** A text with one of its numbers another one. */
function edited(text: string, random: SeededRandom): string {
  const numbers = [...text.matchAll(/(?<=[:[,] ?)\d+(\.\d+)?(?=[,}\]\s])/g)];
  const found = numbers.length === 0 ? undefined : random.pick(numbers);
  if (found === undefined) return text;
  const other = String(Math.round(Number(found[0]) * random.pick([0.1, 0.5, 2, 10, 100]) * 100) / 100);
  return text.slice(0, found.index) + other + text.slice(found.index + found[0].length);
}

async function apply(
  plan: ChangePlan,
  us: ProfileClient,
  { world, moved }: { world: World; moved: (by: Moved) => void },
): Promise<void> {
  if (plan.changes.length === 0) return;
  const { random } = world;
  moved({ shown: shownBy(plan) });
  const options = { sendAnyway: random.integer(0, 3) > 0 };
  if (random.integer(0, 2) === 0) return void await plan.apply(us, options);
  const store = PlanStore.open(world.plans);
  await store.save(plan);
  world.applied.push(plan);
  if (random.integer(0, 2) === 0) world.loseWrite(random.integer(0, 1), random.integer(0, 1) === 1);
  await store.apply(plan, us, options);
}

function shownBy({ profileId, changes }: ChangePlan): PlannedChange[] {
  return changes.map(({ kind, id, op, after }) => ({ profileId, kind, id, op, after }));
}

/** Resumes a plan that was begun, or undoes it, with a journal that somebody may have edited. */
const resume: Door = async (world, moved) => {
  const { random } = world;
  if (world.applied.length === 0) return;
  const plan = random.pick(world.applied.slice(-4));
  const us = world.clients.find(({ profileId }) => profileId === plan.profileId)!;
  const store = PlanStore.open(world.plans);
  const status = await store.status(plan.id);
  if (random.integer(0, 3) === 0) {
    const hidden = `${world.plans}/.plans`;
    for await (const { name } of Deno.readDir(hidden)) {
      if (!name.includes(plan.id) || !name.includes("journal")) continue;
      const path = `${hidden}/${name}`;
      await Deno.writeTextFile(path, edited(await Deno.readTextFile(path), random));
    }
  }
  if (status.state === "applied" || random.integer(0, 2) === 0) {
    const abandoned = await store.abandon(plan, us);
    if (abandoned.rollback === undefined) return;
    moved({ isUndo: true, shown: shownBy(abandoned.rollback) });
    return void await store.apply(abandoned.rollback, us);
  }
  moved({ shown: shownBy(plan) });
  await store.resume(plan, us, { sendAnyway: true } as never);
};

const create: Door = async (world, moved) => {
  const { random, image } = world;
  const us = random.pick(world.clients);
  const group = random.pick(subjects(image, us.profileId).filter(({ kind }) => kind === "sp.ad_groups"));
  if (group === undefined) return;
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

const archive: Door = async (world, moved) => {
  const { random, image } = world;
  const us = random.pick(world.clients);
  const subject = random.pick(subjects(image, us.profileId).filter(({ kind }) => kind !== "portfolios"));
  moved({});
  await us.resource(subject.kind).delete([subject.id]);
};

/** Every door, the busiest more than once. */
export const DOORS: Readonly<Record<string, Door>> = {
  call,
  request,
  update,
  planUpdate,
  planFile,
  resume,
  create,
  archive,
};

/** Names of the doors in proportion to their use. */
export const DOORS_BY_USE: readonly string[] = [
  ...["call", "request", "update", "planUpdate", "planFile", "resume"].flatMap((door) => [door, door, door]),
  ...["create", "archive"],
];
