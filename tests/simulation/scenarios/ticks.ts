import { deepEqual, ok } from "../../support/assert.ts";
import type { JsonObject } from "../../../src/emulator/mod.ts";
import {
  parseSchedules,
  type Schedule,
  stopSchedules,
  tickSchedules,
} from "../../../src/automation/schedules/mod.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const HOUR = 3_600_000;
/** Longest time that a lease or a lost request holds a profile up, in milliseconds. */
const LEASES_OVER = 300_000;
const HIGHEST = 1.5;

function nights(campaignId: string): readonly Schedule[] {
  return parseSchedules(
    `version: 1
schedules:
  nights: { select: { ids: ["${campaignId}"] }, move: bid, zone: UTC, foreign_edits: keep,
    grid: [{ hours: "00-09", factor: 0.5 }, { hours: "12-24", factor: ${HIGHEST} }] }
`,
    "schedules.yaml",
  ).schedules;
}

export const TICKS: Scenario = {
  name: "ticks",
  seeds: 3,
  about:
    "Two programs tick the schedules of one store by the hour; killed and frozen, with writes that are lost",
  async run(world) {
    const { chance, emulator } = world;
    const [seller] = emulator.state.profiles();
    const bids = (): Map<string, number> =>
      new Map(
        seller!.collection("sp.keywords").all()
          .filter((keyword) => keyword["campaignId"] === campaignId && keyword["state"] !== "ARCHIVED")
          .flatMap(({ keywordId, bid }) =>
            typeof bid === "number" ? [[String(keywordId), bid] as const] : []
          ),
      );
    const running = new Set(
      seller!.collection("sp.campaigns").all().filter(({ state }) => state === "ENABLED")
        .map((campaign) => String(campaign["campaignId"])),
    );
    const campaignId = smallestCampaign(
      seller!.collection("sp.keywords").all().filter((keyword) => running.has(String(keyword["campaignId"]))),
    );
    const schedules = nights(campaignId);
    const base = bids();
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const state = `${folder}/ads.sqlite`;
    const disk = new Disk();
    const profile = () => clientIn(world).profileFrom(seller!.id, String(seller!.record["countryCode"]));
    const tick = async (): Promise<void> => void await tickSchedules(profile(), { schedules, state });
    const checkBounds = (): void => {
      for (const [id, bid] of bids()) {
        ok(bid <= base.get(id)! * HIGHEST + 0.01, `keyword ${id} has ${bid}, its base is ${base.get(id)}`);
      }
    };
    try {
      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "slow", "double"]);
      for (let hours = chance.integer("hours", 2, 5); hours > 0; hours--) {
        const programs = [...Array(chance.integer("programs", 1, 2)).keys()].map((index) =>
          world.spawn(`tick ${hours}.${index}`, { disk, main: tick })
        );
        await world.run(Promise.all(programs.map(({ ended }) => ended)));
        checkBounds();
        await world.run(world.pass(chance.integer("until the next tick", 1, 4) * HOUR));
      }
      world.faults = CALM;
      await world.run(world.pass(LEASES_OVER));
      await runProgram(world, { name: "last tick", disk, main: tick });
      const factor = factorAt(new Date(world.now).getUTCHours());
      const wrong = [...bids()].filter(([id, bid]) => Math.abs(bid - rounded(base.get(id)! * factor)) > 1e-9);
      deepEqual(wrong, [], `every bid is its base x ${factor}`);

      await runProgram(world, {
        name: "stop",
        disk,
        main: () => stopSchedules(profile(), { state, names: ["nights"] }),
      });
      deepEqual([...bids()], [...base], "every base is back");
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};

function factorAt(hour: number): number {
  return hour < 9 ? 0.5 : hour >= 12 ? HIGHEST : 1;
}

function rounded(bid: number): number {
  return Math.max(0.02, Math.round(bid * 100 + 1e-7) / 100);
}

function smallestCampaign(keywords: readonly JsonObject[]): string {
  const live = keywords.filter(({ bid, state }) => typeof bid === "number" && state === "ENABLED");
  const [[campaignId] = [""]] = [...Map.groupBy(live, (keyword) => String(keyword["campaignId"]))]
    .sort(([, a], [, b]) => a.length - b.length);
  return campaignId;
}
