import { equal, ok } from "../support/assert.ts";
import type { ChangePlan, ProfileClient } from "../../mod.ts";
import { ApiError } from "../../src/errors.ts";
import { CONTRACT_KINDS, makeParents } from "../entities/contract_kinds.ts";
import { emulated } from "../support/emulated.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { drawnValues, type Item } from "./support/bad_values.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const SEEDS = amount(1, 20);
/** Plans of each kind and operation, by seed. */
const PLANS = 12;

/** What was found of plans of one change each. */
class Tally {
  refused = 0;
  foreseen = 0;
  accepted = 0;
  /** Refused before a plan was made: malformed. */
  malformed = 0;
  readonly missed: string[] = [];
  readonly wrong: string[] = [];

  async count(us: ProfileClient, make: () => Promise<ChangePlan>): Promise<void> {
    let plan: ChangePlan;
    try {
      plan = await make();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.malformed++;
      return;
    }
    const [change] = plan.changes;
    if (change === undefined) return;
    const findings = plan.findings.filter(({ refused }) => refused);
    let why: string | undefined;
    try {
      const { changes: [result] } = await plan.apply(us, { sendAnyway: true });
      if (result?.outcome === "refused") why = result.error?.message ?? "";
      else if (result?.outcome !== "done") return;
    } catch (error) {
      if (error instanceof TypeError) return;
      if (!(error instanceof ApiError)) throw error;
      why = error.message;
    }
    const what = `${change.op} ${change.kind} ${JSON.stringify(change.after)}`;
    if (why === undefined) {
      this.accepted++;
      if (findings.length > 0) {
        this.wrong.push(`${what}: ${findings.map(({ code, message }) => `${code} ${message}`).join("; ")}`);
      }
      return;
    }
    this.refused++;
    if (findings.length > 0) this.foreseen++;
    else this.missed.push(`${what}: ${why}`);
  }

  summary(): string {
    const share = (100 * this.foreseen / this.refused).toFixed(1);
    return `${this.refused} refused, ${this.foreseen} foreseen (${share} %), ${this.accepted} accepted, ` +
      `${this.wrong.length} of them against a finding, ${this.malformed} malformed; ${SEEDS} seeds from ${SEED}`;
  }
}

Deno.test("of values that the schemas and the platform's own rules draw, at least 98 % of those refused are foreseen, and none that is foreseen is accepted", async () => {
  const tally = new Tally();
  // Without the comparison of every exchange with what is published: the bad values are the point.
  await using world = await emulated({ fetchOf });
  const { us } = world;
  const parents = await makeParents(us, "legacy");
  let number = 0;
  for (const contract of CONTRACT_KINDS) {
    const { kind } = contract;
    const resource = us.resource(kind);
    const { operations } = resource.spec;
    const create = await drawnValues({ kind, op: "create", operations: operations["create"] });
    const update = await drawnValues({ kind, op: "update", operations: operations["update"] });
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = new SeededRandom(SEED * 1000 + seed);
      for (let turn = 0; turn < PLANS; turn++) {
        await tally.count(us, () => resource.planCreate([create(random, contract.item(parents, number++))]));
      }
      const [id] = (await resource.create([contract.item(parents, number++)])).ids;
      for (let turn = 0; turn < PLANS; turn++) {
        const [changes] = contract.changes(number++);
        const item: Item = { ...(random.integer(0, 1) === 0 ? {} : changes), [resource.idField]: id };
        await tally.count(
          us,
          () => resource.planUpdate([{ ...update(random, item), [resource.idField]: id }]),
        );
      }
    }
  }
  console.log(`Of drawn values: ${tally.summary()}`);
  ok(tally.refused > 100, "enough is refused to count");
  equal(tally.wrong.length, 0, tally.wrong.join("\n"));
  ok(tally.foreseen / tally.refused >= 0.98, tally.missed.join("\n"));
});
