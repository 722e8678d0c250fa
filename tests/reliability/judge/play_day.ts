import { type Fetch, PlatformAds, type ProfileClient } from "../../../mod.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { FolderLedger } from "../../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../../src/plans/policy/parse_policy.ts";
import type { Warehouse } from "../../../src/store/mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import {
  type AccountImage,
  accountImage,
  type Difference,
  differences,
} from "../../../src/interfaces/arena/account/account_image.ts";
import { drawnHabits } from "./drawn_values.ts";
import { DOORS, DOORS_BY_USE, doorsOf } from "./doors.ts";
import {
  createGlobals,
  drawnAccount,
  drawnBusy,
  drawnMarkets,
  isWriting,
  writesOf,
} from "./drawn_account.ts";
import { drawnLimits, policyText } from "./drawn_policy.ts";
import { DayOfProfile, forbidden, type Limits, outOfProportion } from "./forbidden.ts";
import { isWarned, notShown } from "./shown.ts";
import type { PublishedWrite } from "./published_writes.ts";
import { type Moved, NOW, type World } from "./world.ts";

const MOVES = 50;

/** A day of moves under one policy, and what was found. */
export interface PlayedDay {
  /** Moves after which the account was another one, by door. */
  readonly changed: Readonly<Record<string, number>>;
  readonly moves: number;
  /** Moves by door. */
  readonly played: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  /** Door, policy and requests of the move that they were found after. */
  readonly scene: readonly string[];
}

/** A fault that is planted, to see that it is found. */
export interface PlantedHole {
  /** A limit that the policy does not know, and the oracle does; drawn for each day. */
  readonly forgets?: keyof Limits;
  /** Changes the body of a write on its way to the platform, after it was judged. */
  readonly meddles?: (body: string) => string;
}

/** How a day is played. */
interface DayOptions {
  readonly hole?: PlantedHole;
  /** Names of the doors, in proportion to their use. @default all */
  readonly doors?: readonly string[];
  /** @default 50 */
  readonly moves?: number;
  /** Address of a store with a queue. @default none: its door is left out */
  readonly queue?: string | undefined;
}

/** Plays a day on a drawn account under a drawn policy; ends it at the first violation. */
export async function playDay(
  seed: number,
  writes: readonly PublishedWrite[],
  { hole = {}, doors = DOORS_BY_USE, moves: wanted = MOVES, queue }: DayOptions = {},
): Promise<PlayedDay> {
  const { forgets, meddles = (body: string) => body } = hole;
  const random = new SeededRandom(seed);
  const own = doorsOf(seed, queue === undefined ? doors.filter((name) => name !== "workers") : doors);
  const markets = drawnMarkets(random);
  const emulator = await Emulator.start({
    listen: false,
    account: drawnAccount(random, markets),
    clock: { now: NOW, frozen: true },
    quirks: { reportSeconds: 0 },
  });
  await using folder = await temporaryFolder();
  const changed: Record<string, number> = {};
  const played: Record<string, number> = {};
  let warehouse: Warehouse | undefined;
  let lose: { after: number; isCarriedOut: boolean } | undefined;
  const fetch: Fetch = async (input, init) => {
    const isWrite = init?.method !== undefined && isWriting(init.method, input);
    if (isWrite && typeof init?.body === "string") init = { ...init, body: meddles(init.body) };
    if (isWrite && lose !== undefined && lose.after-- <= 0) {
      if (lose.isCarriedOut) await emulator.fetch(input, init);
      throw new TypeError("connection lost");
    }
    return await emulator.fetch(input, init);
  };
  const ledger = `${folder.path}/ledger`;
  const now = (): number => Date.parse(NOW);
  const quiet = {
    platform: emulator.platform,
    fetch,
    onWarning: () => {},
    now,
    sleep: () => Promise.resolve(),
  };
  try {
    const anyone = await new PlatformAds(emulator.credentials, quiet).profile(markets[0].country);
    await createGlobals(anyone, random, markets);
    const start = accountImage(emulator);
    const busy = drawnBusy(random, start);
    const limits = drawnLimits(random, { account: start, busy, always: forgets });
    const habits = drawnHabits(random);
    const text = policyText({ ...limits, ...(forgets === undefined ? {} : { [forgets]: undefined }) }, {
      random,
      markets,
    });
    const connect: World["connect"] = (wire, profiles, more) => {
      const policy = parsePolicy(text, { ledger: new FolderLedger(ledger), now });
      return new PlatformAds(emulator.credentials, {
        ...{ ...quiet, policy, wire },
        ...(profiles === undefined ? {} : { profiles }),
        ...more,
      });
    };
    const open = async (): Promise<ProfileClient[]> => {
      const clients: ProfileClient[] = [];
      for (const wire of ["legacy", "unified"] as const) {
        const ads = connect(wire);
        for (const { country } of markets) clients.push(await ads.profile(country));
      }
      return clients;
    };
    let clients = await open();
    let before = start;
    const days = [new DayOfProfile(), new DayOfProfile()] as const;
    const applied: World["applied"] = [];
    const queued: World["queued"] = new Map();
    for (let at = 0; at < wanted; at++) {
      if (random.integer(0, 14) === 0) clients = await open();
      const name = random.pick(own);
      played[name] = (played[name] ?? 0) + 1;
      let by: Moved = {};
      let why = "";
      let crash: TypeError | undefined;
      const sent = writesOf(emulator);
      lose = undefined;
      const world: World = {
        ...{
          random,
          writes,
          emulator,
          clients,
          connect,
          ledger,
          applied,
          markets,
          busy,
          habits,
          limits,
          queue,
          queued,
        },
        policyText: text,
        image: before,
        folder: folder.path,
        warehouse: async () => warehouse ??= await syncedStore(`${folder.path}/figures.sqlite`, clients, now),
        loseWrite: (after, isCarriedOut) => void (lose = { after, isCarriedOut }),
      };
      await DOORS[name]![0](world, (moved) => void (by = moved)).catch((error: Error) => {
        why = error.message;
        // Bad input is refused by errors of the package; these come of its own code.
        if (error instanceof TypeError && /is not a function|Cannot read|private/.test(why)) crash = error;
      });
      const violations = overheard(by, before);
      if (crash !== undefined) violations.push(`it crashed: ${crash.stack}`);
      let after = before;
      if (writesOf(emulator) !== sent) {
        after = accountImage(emulator);
        const moves = differences(before, after);
        if (moves.length > 0) changed[name] = (changed[name] ?? 0) + 1;
        violations.push(...judged(moves, { limits, by, start, before, after, days, markets }));
      }
      if (violations.length > 0) {
        const requests = emulator.requests().filter(({ method, path }) => isWriting(method, path)).slice(-3)
          .map(({ method, path, body }) => `  ${method} ${path} ${body}`);
        const scene = [
          `${name}, move ${at} of day ${seed}`,
          `  ${text.replaceAll("\n", "; ")}`,
          `  ${JSON.stringify(limits)}`,
          ...requests,
          `  ${why}`,
        ];
        return { changed, played, moves: at + 1, violations, scene };
      }
      before = after;
    }
    return { changed, played, moves: wanted, violations: [], scene: [] };
  } finally {
    await warehouse?.[Symbol.asyncDispose]();
    await emulator.stop();
  }
}

/** A store with what the platform reports of a month of the first profile. */
async function syncedStore(
  path: string,
  clients: readonly ProfileClient[],
  now: () => number,
): Promise<Warehouse> {
  const { Warehouse } = await import("../../../src/store/mod.ts");
  const store = await Warehouse.open(path, { now });
  await store.sync(clients[0]!, { reports: ["sp_campaigns", "sp_targeting"], start: "2026-09-01" });
  return store;
}

/** What a caller saw or reached that is not theirs. */
function overheard({ tenant, strangers = [] }: Moved, image: AccountImage): string[] {
  const found = strangers.map((host) => `${host} got a request`);
  if (tenant === undefined) return found;
  for (const key of image.keys()) {
    const [profile, kind = "", id = ""] = key.split(" ");
    // Copies name the global entity that they are of.
    if (kind.includes(".global_")) continue;
    if (profile !== tenant.profileId && !tenant.sent.includes(id) && tenant.got.includes(id)) {
      found.push(`${key} was read by a tenant of ${tenant.profileId}`);
    }
  }
  return found;
}

interface Judged {
  readonly limits: Limits;
  readonly by: Moved;
  readonly start: AccountImage;
  readonly before: AccountImage;
  readonly after: AccountImage;
  readonly days: readonly [DayOfProfile, DayOfProfile];
  readonly markets: World["markets"];
}

function judged(
  moves: readonly Difference[],
  { limits, by, start, before, after, days, markets }: Judged,
): string[] {
  if (moves.length === 0) return [];
  const { isUndo = false, isLook = false, isSchedule = false, isUnasked = false, read, auto, tenant } = by;
  const violations = isLook ? [`${moves[0]!.key} changed by what sends nothing`] : [];
  if (auto !== undefined && limits.allowAuto !== auto) violations.push(`${auto} applied a plan by itself`);
  for (const at of [0, 1] as const) {
    const { profileId } = markets[at];
    const own = (image: AccountImage): AccountImage =>
      new Map([...image].filter(([key]) => key.startsWith(`${profileId} `)));
    const images = { start: own(start), before: own(before), after: own(after) };
    violations.push(...forbidden(limits, { ...images, at, day: days[at], isUndo, isSchedule }));
    if (isUnasked || read !== undefined) {
      for (const { key, change } of outOfProportion(images)) {
        if (isUnasked) violations.push(`${key}: ${change}, and no person was asked`);
        else if (!isWarned(read!, key)) violations.push(`${key}: ${change}, and no warning was shown`);
      }
    }
    const beyond = moves.find(({ key }) => key.startsWith(`${profileId} `) && !key.includes(".global_"));
    if (tenant !== undefined && tenant.profileId !== profileId && beyond !== undefined) {
      violations.push(`${beyond.key} was changed by a tenant of ${tenant.profileId}`);
    }
    days[at].add({ ...images, isUndo });
  }
  if (by.shown !== undefined) violations.push(...notShown(by.shown, moves));
  return violations;
}
