import { type Fetch, PlatformAds, type ProfileClient } from "../../../mod.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { FolderLedger } from "../../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../../src/plans/policy/parse_policy.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { accountImage, differences } from "./account_image.ts";
import { DOORS, DOORS_BY_USE, type Moved, type World } from "./doors.ts";
import { drawnAccount, writesOf } from "./drawn_account.ts";
import { drawnLimits, policyText } from "./drawn_policy.ts";
import { forbidden, type Limits } from "./forbidden.ts";
import { notShown } from "./shown.ts";
import type { PublishedWrite } from "./published_writes.ts";

const NOW = "2026-09-30T18:00:00Z";
const MOVES = 50;

/** A day of moves under one policy, and what was found. */
export interface PlayedDay {
  /** Moves after which the account was another one, by door. */
  readonly changed: Readonly<Record<string, number>>;
  readonly moves: number;
  readonly violations: readonly string[];
  /** Door, policy and requests of the move that they were found after. */
  readonly scene: readonly string[];
}

/** A fault that is planted, to see that it is found. */
export interface PlantedHole {
  /** A limit that the policy does not know, and the oracle does. */
  readonly forgets?: keyof Limits;
  /** Changes the body of a write on its way to the platform, after it was judged. */
  readonly meddles?: (body: string) => string;
}

/** Plays a day on a drawn account under a drawn policy; ends it at the first violation. */
export async function playDay(
  seed: number,
  writes: readonly PublishedWrite[],
  { forgets, meddles = (body) => body }: PlantedHole = {},
): Promise<PlayedDay> {
  const random = new SeededRandom(seed);
  const account = drawnAccount(random);
  const emulator = await Emulator.start({ listen: false, account, clock: { now: NOW, frozen: true } });
  await using folder = await temporaryFolder();
  const changed: Record<string, number> = {};
  try {
    const start = accountImage(emulator);
    const limits = drawnLimits(random, start);
    const text = policyText({ ...limits, ...(forgets === undefined ? {} : { [forgets]: undefined }) });
    let lose: { after: number; isCarriedOut: boolean } | undefined;
    const fetch: Fetch = async (input, init) => {
      const isWrite = init?.method === "PUT" ||
        init?.method === "POST" && !/list$|\/query\/|token/.test(input);
      if (isWrite && typeof init?.body === "string") init = { ...init, body: meddles(init.body) };
      if (isWrite && lose !== undefined && lose.after-- <= 0) {
        if (lose.isCarriedOut) await emulator.fetch(input, init);
        throw new TypeError("connection lost");
      }
      return await emulator.fetch(input, init);
    };
    const open = async (): Promise<ProfileClient[]> => {
      const clients: ProfileClient[] = [];
      for (const wire of ["legacy", "unified"] as const) {
        const policy = parsePolicy(text, {
          ledger: new FolderLedger(`${folder.path}/ledger`),
          now: () => Date.parse(NOW),
        });
        const ads = new PlatformAds(emulator.credentials, {
          platform: emulator.platform,
          fetch,
          policy,
          wire,
          onWarning: () => {},
          now: () => Date.parse(NOW),
          sleep: () => Promise.resolve(),
        });
        for (const market of ["US", "CA"]) clients.push(await ads.profile(market));
      }
      return clients;
    };
    let clients = await open();
    let before = start;
    const counts = new Map<string, { changes: number; archives: number }>();
    const applied: World["applied"] = [];
    for (let at = 0; at < MOVES; at++) {
      if (random.integer(0, 14) === 0) clients = await open();
      const name = random.pick(DOORS_BY_USE);
      let by: Moved = {};
      let why = "";
      const sent = writesOf(emulator);
      lose = undefined;
      const world: World = {
        random,
        writes,
        clients,
        image: before,
        plans: folder.path,
        applied,
        loseWrite: (after, isCarriedOut) => void (lose = { after, isCarriedOut }),
      };
      await DOORS[name]!(world, (moved) => void (by = moved)).catch((error: Error) => why = error.message);
      if (writesOf(emulator) === sent) continue;
      const after = accountImage(emulator);
      const moves = differences(before, after);
      if (moves.length === 0) continue;
      changed[name] = (changed[name] ?? 0) + 1;
      const { isUndo = false } = by;
      const violations = ["200000000000001", "200000000000002"].flatMap((profile) => {
        const own = (image: typeof before): typeof before =>
          new Map([...image].filter(([key]) => key.startsWith(`${profile} `)));
        const count = counts.get(profile) ?? { changes: 0, archives: 0 };
        const seen = { start: own(start), before: own(before), after: own(after), counts: count, isUndo };
        const found = forbidden(limits, seen);
        const keys = new Set(moves.map(({ key }) => key).filter((key) => key.startsWith(`${profile} `)));
        const archives = [...keys].filter((key) =>
          String(after.get(key)?.["state"]).toUpperCase() === "ARCHIVED"
        );
        if (!isUndo) {
          counts.set(profile, {
            changes: count.changes + keys.size,
            archives: count.archives + archives.length,
          });
        }
        return found;
      });
      if (by.shown !== undefined) violations.push(...notShown(by.shown, moves));
      if (violations.length > 0) {
        const requests = emulator.requests().slice(-40).filter(({ method, path }) =>
          method === "PUT" || method === "DELETE" || method === "POST" && !/list$|\/query\/|token/.test(path)
        ).slice(-3).map(({ method, path, body }) => `  ${method} ${path} ${body}`);
        const scene = [
          `${name}, move ${at} of day ${seed}`,
          `  ${policyText(limits).replaceAll("\n", "; ")}`,
          ...requests,
          `  ${why}`,
        ];
        return { changed, moves: at + 1, violations, scene };
      }
      before = after;
    }
    return { changed, moves: MOVES, violations: [], scene: [] };
  } finally {
    await emulator.stop();
  }
}
