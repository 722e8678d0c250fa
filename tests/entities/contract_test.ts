import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlanDriftError, type Resource, RESOURCE_KINDS } from "../../mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { CONTRACT_KINDS, type ContractKind, makeParents } from "./contract_kinds.ts";
import { long } from "../support/long.ts";

/** A kind, its resource, and a way to make new items for it. */
interface Case {
  readonly contract: ContractKind;
  readonly resource: Resource;
  readonly world: Emulated;
  /** New items that are unlike all others. */
  readonly items: (count: number) => Record<string, unknown>[];
  /** Two changes that an update can make, unlike any that were made before. */
  readonly changes: () => readonly [Record<string, unknown>, Record<string, unknown>];
  /** Creates an entity and returns its id. */
  readonly made: () => Promise<string>;
}

const CLAUSES: Record<string, (given: Case) => Promise<void>> = {
  "lists entities with text ids, in the states that are the default": async ({ resource, contract }) => {
    const entities = await resource.list();
    ok(entities.length > 0);
    for (const entity of entities) equal(typeof entity[resource.idField], "string");
    const states = new Set(entities.map((entity) => entity["state"]));
    for (const state of states) ok(statesOf(contract).includes(String(state)), `lists ${state}`);
  },

  "finds entities by id and leaves out ids that are not there": async ({ resource }) => {
    const [first, second] = await resource.list();
    const ids = [first!, second!].map((entity) => String(entity[resource.idField]));
    deepEqual(await resource.get(ids[0]!), first);
    equal(await resource.get("123456789"), undefined);
    const many = await resource.getMany([...ids, "123456789"]);
    deepEqual([...many.keys()].sort(), [...ids].sort());
  },

  "creates entities with verdicts in input order": async ({ resource, items }) => {
    const result = await resource.create(items(12));
    equal(result.summary(), "12 succeeded, 0 failed");
    deepEqual(result.successes.map(({ index }) => index), [...Array(12).keys()]);
    equal((await resource.getMany(result.ids)).size, 12);
  },

  "updates an entity": async ({ resource, changes, made }) => {
    const id = await made();
    const [change] = changes();
    (await resource.update([{ [resource.idField]: id, ...change }])).raiseForErrors();
    holds(await resource.get(id), change);
  },

  "pauses and enables where the platform can": async ({ resource, contract, made }) => {
    const id = await made();
    const [enabled, paused] = statesOf(contract);
    if (paused === undefined) {
      if (isFixed(contract)) await rejects(resource.pause([id]), TypeError);
      return;
    }
    (await resource.pause([id])).raiseForErrors();
    equal((await resource.get(id))!["state"], paused);
    (await resource.enable([id])).raiseForErrors();
    equal((await resource.get(id))!["state"], enabled);
  },

  "refuses to send over what somebody else changed, leaves it out, and takes what is so already for done":
    async (
      { resource, contract, changes, world, made },
    ) => {
      const [id, other] = [await made(), await made()];
      const { idField } = resource;
      const [[mine, theirs], [further]] = [changes(), changes()];
      if (isFixed(contract)) {
        const plan = await resource.planArchive([id]);
        (await resource.delete([id])).raiseForErrors();
        await rejects(plan.apply(world.us, { checkDrift: true }), PlanDriftError);
        return;
      }
      const plan = await resource.planUpdate([{ [idField]: id, ...mine }, { [idField]: other, ...further }]);
      const [field = ""] = Object.keys(plan.changes[0]!.after);
      const was = plan.changes[0]!.before[field];
      const written = (): number => world.emulator.requests().filter(({ method }) => method === "PUT").length;
      const set = async (change: Record<string, unknown>): Promise<void> =>
        (await resource.update([{ [idField]: id, ...change }])).raiseForErrors();
      if (!isState(mine)) {
        await set(theirs);
        const count = written();
        await rejects(plan.apply(world.us, { checkDrift: true }), (error: Error) => {
          ok(error instanceof PlanDriftError);
          deepEqual(error.drifted.map(({ kind, id, field }) => [kind, id, field]), [[
            contract.kind,
            id,
            field,
          ]]);
          deepEqual(error.drifted[0]!.expected, was);
          return true;
        });
        equal(written(), count, "nothing was sent");
        const again = await resource.planUpdate([{ [idField]: id, ...mine }, {
          [idField]: other,
          ...further,
        }]);
        await set({ [field]: was });
        const { changes: some } = await again.apply(world.us, { skipDrifted: true });
        deepEqual(some.map(({ outcome, error }) => [outcome, error?.code]), [["not_sent", "DRIFTED"], [
          "done",
          undefined,
        ]]);
        deepEqual((await resource.get(id))![field], was);
      }
      const late = await resource.planUpdate([{ [idField]: id, ...mine }]);
      await set(mine);
      deepEqual((await late.apply(world.us, { skipDrifted: true })).changes.map(({ outcome }) => outcome), [
        "already",
      ]);
    },

  "plans an update, sends it, and undoes it": async ({ resource, contract, changes, world, made }) => {
    const id = await made();
    const [change] = changes();
    const before = await resource.get(id);
    const plan = await resource.planUpdate([{ [resource.idField]: id, ...change }, {
      [resource.idField]: "123456789",
      ...change,
    }]);
    deepEqual(plan.missing, ["123456789"]);
    if (isFixed(contract)) {
      equal(plan.changes.length, 0, "its only change is no change");
      return;
    }
    equal(plan.changes.length, 1);
    const result = await plan.apply(world.us, { checkDrift: true });
    result.raiseForErrors();
    holds(await resource.get(id), change);
    equal((await resource.planUpdate([{ [resource.idField]: id, ...change }])).changes.length, 0);
    (await result.rollbackPlan().apply(world.us)).raiseForErrors();
    deepEqual(resource.comparable((await resource.get(id))!), resource.comparable(before!));
  },

  "refuses a plan when the account has changed, and sends nothing": async (given) => {
    const { resource, contract, changes, world, made } = given;
    if (isFixed(contract)) return;
    const id = await made();
    const [first, second] = changes();
    const wanted = { [resource.idField]: id, ...first };
    const plan = await resource.planUpdate([wanted]);
    const other = isState(second) ? first : second;
    (await resource.update([{ [resource.idField]: id, ...other }])).raiseForErrors();
    world.asked();
    await rejects(plan.apply(world.us, { checkDrift: true }), PlanDriftError);
    ok(world.asked().every((line) => line.startsWith("GET") || /\/list$|\/query\/\w+$/.test(line)));
  },

  "plans creates, and undoes them by archiving": async ({ resource, world, items }) => {
    const plan = await resource.planCreate(items(2), { note: "two more" });
    const result = await plan.apply(world.us);
    result.raiseForErrors();
    const ids = result.changes.map(({ id }) => id!);
    const undo = result.rollbackPlan();
    if (!resource.archivable) {
      equal(undo.changes.length, 0);
      equal(undo.warnings.length, 2);
      return;
    }
    (await undo.apply(world.us)).raiseForErrors();
    for (const [, entity] of await resource.getMany(ids)) {
      equal(String(entity["state"]).toUpperCase(), "ARCHIVED");
    }
  },

  "archives for good": async ({ resource, changes, world, made }) => {
    const id = await made();
    if (!resource.archivable) {
      await rejects(resource.delete([id]), /the platform has no operation for it/);
      await rejects(resource.planArchive([id]), /the platform has no operation for it/);
      return;
    }
    const plan = await resource.planArchive([id]);
    match(plan.toMarkdown(), /Archived permanently: /);
    const result = await plan.apply(world.us, { checkDrift: true });
    result.raiseForErrors();
    equal(String((await resource.get(id))!["state"]).toUpperCase(), "ARCHIVED");
    ok((await resource.list()).every((entity) => entity[resource.idField] !== id));
    equal(result.rollbackPlan().changes.length, 0);
    const refused = await resource.update([{ [resource.idField]: id, ...changes()[0] }]);
    equal(refused.ok, false);
    equal(refused.errors[0]!.outcome, "refused");
  },

  "gives an id that is not there a verdict of its own": async ({ resource, changes, made }) => {
    const id = await made();
    const [change] = changes();
    const updates = ["123456789", id].map((one) => ({ [resource.idField]: one, ...change }));
    const result = await resource.update(updates);
    deepEqual(result.errors.map(({ index, errorType }) => [index, errorType]), [[0, "entityNotFoundError"]]);
    deepEqual(result.ids, [id]);
    if (!resource.archivable) return;
    const archived = await resource.delete(["123456789", id]);
    deepEqual(archived.errors.map(({ index, errorType }) => [index, errorType]), [[
      0,
      "entityNotFoundError",
    ]]);
    deepEqual(archived.ids, [id]);
  },
};

Deno.test("the contract covers every kind of resource", () => {
  deepEqual(CONTRACT_KINDS.map(({ kind }) => kind).sort(), [...RESOURCE_KINDS].sort());
});

for (const wire of ["legacy", "unified"] as const) {
  long();
  Deno.test(`every kind of resource keeps the same contract over HTTP on the ${wire} wire`, async (test) => {
    await using world = await emulated({ client: { wire, onWarning: () => {} } });
    const parents = await makeParents(world.us, wire);
    let number = 0;
    const nextItems = (contract: ContractKind, count: number): Record<string, unknown>[] =>
      Array.from({ length: count }, () => {
        const item = contract.item(parents, number++);
        for (const field of wire === "unified" ? contract.lacking ?? [] : []) delete item[field];
        return item;
      });
    for (const contract of CONTRACT_KINDS) {
      const resource = world.us.resource(contract.kind);
      const items = (count: number): Record<string, unknown>[] => nextItems(contract, count);
      const changes = (): ReturnType<Case["changes"]> => contract.changes(number++);
      const made = async (): Promise<string> => {
        const result = await resource.create(items(1));
        result.raiseForErrors();
        return result.ids[0]!;
      };
      for (const [clause, check] of Object.entries(CLAUSES)) {
        await test.step(`${contract.kind} ${clause}`, () =>
          check({ contract, resource, world, items, changes, made }));
      }
    }
  });
}

function statesOf(contract: ContractKind): readonly string[] {
  return contract.states ?? ["ENABLED", "PAUSED"];
}

/** True for a kind whose only change is its one state: it can be created and archived. */
function isFixed(contract: ContractKind): boolean {
  return statesOf(contract).length === 1 && isState(contract.changes(0)[0]);
}

function isState(change: Record<string, unknown>): boolean {
  return "state" in change;
}

function holds(entity: Record<string, unknown> | undefined, change: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(change)) {
    const field = name === "default_bid" ? "defaultBid" : name;
    const actual = entity![field];
    const amount = field === "budget" && typeof actual === "object"
      ? (actual as { budget: number }).budget
      : actual;
    equal(amount, value);
  }
}
