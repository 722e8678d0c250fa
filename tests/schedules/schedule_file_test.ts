import { join } from "node:path";
import {
  decideProposal,
  propose,
  readProposal,
  readSchedules,
} from "../../src/automation/schedules/schedule_file.ts";
import { PROPOSED_SCHEDULES } from "../../src/automation/schedules/schedule.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";

const FILE = `version: 1
schedules:
  nights: { move: bid, grid: [{ hours: 00-06, factor: 0.5 }] }
  # Nothing of this is
  # near a change of
  # either schedule.
  # So no reader needs
  # to see all of it.
  days: { move: bid, grid: [{ hours: 09-17, factor: 1.5 }] }
`;
const OTHER = "version: 1\nschedules:\n  evenings: { move: bid, grid: [{ hours: 18-24, factor: 1.2 }] }\n";

const flat = (factor: number) => Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => factor));

async function scene() {
  const folder = await Deno.makeTempDir();
  const agent = join(folder, "agent");
  await Deno.mkdir(agent);
  const path = join(folder, "schedules.yaml");
  await Deno.writeTextFile(path, FILE);
  return {
    path,
    agent,
    folders: [{ maker: "agent", store: { path: agent } }] as const,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("a proposal lies beside the file until it is taken or discarded, and further ones build on it", async () => {
  await using at = await scene();
  const { path, folders } = at;
  for (const take of [false, true]) {
    equal(await readProposal(path, FILE, folders), undefined);
    equal(await propose(path, { name: "nights", factors: flat(2), present: FILE }), true);
    equal(await propose(path, { name: "days", factors: flat(3), present: FILE }), true);
    equal(await Deno.readTextFile(path), FILE);
    const proposal = await readProposal(path, FILE, folders);
    ok(proposal);
    deepEqual(proposal.lines.map(({ sign, text }) => `${sign} ${text.trim().slice(0, 12)}`), [
      "  version: 1",
      "  schedules:",
      "- nights: { mo",
      "+ nights: { mo",
      "  # Nothing of",
      "  # near a cha",
      "  # So no read",
      "  # to see all",
      "- days: { move",
      "+ days: { move",
      "  ",
    ]);
    const decision = { take, present: FILE, folders };
    equal(await decideProposal(path, { ...decision, fingerprint: "of another one" }), false);
    equal(await Deno.readTextFile(path), FILE);
    equal(await decideProposal(path, { ...decision, fingerprint: proposal.fingerprint }), true);
  }
  deepEqual((await readSchedules(path))?.file.schedules.map(({ grid }) => grid), [[{ factor: 2 }], [{
    factor: 3,
  }]]);
  const text = await Deno.readTextFile(path);
  equal(await readProposal(path, text, folders), undefined);
});

Deno.test("a grid of quarter hours is not proposed by the hour", async () => {
  await using at = await scene();
  const present = FILE.replace("00-06", "00-05:45");
  equal(await propose(at.path, { name: "nights", factors: flat(2), present }), false);
  equal(await readProposal(at.path, present, at.folders), undefined);
});

Deno.test("a person's proposal comes before an agent's, which waits until it fits the file", async () => {
  await using at = await scene();
  const { path, folders } = at;
  const place = join(at.agent, PROPOSED_SCHEDULES);
  await Deno.writeTextFile(place, OTHER);
  const proposal = await readProposal(path, FILE, folders);
  deepEqual([proposal?.maker, proposal?.path], ["agent", place]);
  equal(await readProposal(path, "version: 1\nschedules: {", folders), undefined);
  await propose(path, { name: "nights", factors: flat(2), present: FILE });
  equal((await readProposal(path, FILE, folders))?.maker, "person");
});
