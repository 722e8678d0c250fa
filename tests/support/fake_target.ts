import { type BatchError, BatchResult, type BatchSuccess, type ItemOutcome } from "../../mod.ts";
import type { EntityFields, PlanResource, PlanTarget, WriteOptions } from "../../src/plans/mod.ts";
import { failure } from "../../src/platform/batch/item_error.ts";

/** What a fake resource was asked to do. */
export interface FakeWrite {
  readonly kind: string;
  readonly op: "create" | "update" | "archive";
  readonly items: readonly unknown[];
}

/** How writes of a group go wrong. */
export interface FakeTrouble {
  /** Outcome by position in the group; the rest succeeds. */
  readonly outcomes?: Readonly<Record<number, ItemOutcome>>;
  /** Thrown in place of a result. */
  readonly throws?: Error;
  /** What ended the group early. */
  readonly stoppedBy?: Error;
  /** Positions of creates whose success has no id. */
  readonly withoutId?: readonly number[];
}

/** A profile in memory for plans: entities by kind and id, writes recorded, troubles by `<op> <kind>`. */
export class FakeTarget implements PlanTarget {
  readonly profileId: string = "100";
  readonly countryCode: string = "US";
  readonly entities: Record<string, Record<string, EntityFields>>;
  readonly writes: FakeWrite[] = [];
  readonly reads: string[][] = [];
  readonly troubles: Record<string, FakeTrouble> = {};
  judge?: PlanTarget["judge"];
  readonly #unarchivable: readonly string[];

  constructor(
    entities: Record<string, Record<string, EntityFields>> = {},
    options: { readonly unarchivable?: readonly string[] } = {},
  ) {
    this.entities = entities;
    this.#unarchivable = options.unarchivable ?? [];
  }

  resource(kind: string): PlanResource {
    const idField = kind.endsWith("campaigns") ? "campaignId" : "keywordId";
    const write = (op: FakeWrite["op"]) => (items: readonly unknown[], options: WriteOptions = {}) =>
      this.#write({ kind, op, items }, options);
    return {
      kind,
      idField,
      archivable: !this.#unarchivable.includes(kind),
      getMany: (ids) => {
        this.reads.push([...ids]);
        const known = this.entities[kind] ?? {};
        return Promise.resolve(
          new Map(ids.flatMap((id) => known[id] === undefined ? [] : [[id, known[id]]])),
        );
      },
      comparable: ({ computed: _, ...entity }) => entity,
      findEqual: (items) => Promise.resolve(items.map(() => [])),
      create: write("create"),
      update: write("update"),
      delete: write("archive"),
    };
  }

  async #write(write: FakeWrite, options: WriteOptions): Promise<BatchResult> {
    const trouble = this.troubles[`${write.op} ${write.kind}`] ?? {};
    if (trouble.throws !== undefined) throw trouble.throws;
    const indexes = write.items.map((_, index) => index);
    await options.onSending?.(indexes);
    this.writes.push(write);
    const successes: BatchSuccess[] = [];
    const errors: BatchError[] = [];
    for (const [index, item] of write.items.entries()) {
      const outcome = trouble.outcomes?.[index];
      const id = trouble.withoutId?.includes(index) ? undefined : `new-${write.kind}-${index}`;
      if (outcome === undefined) successes.push({ index, item, id, entity: undefined });
      else errors.push(failure({ index, item, outcome }, { code: "TROUBLE", message: "As the test said" }));
    }
    const result = new BatchResult(successes, errors, trouble.stoppedBy);
    await options.onVerdicts?.(result);
    return result;
  }
}
