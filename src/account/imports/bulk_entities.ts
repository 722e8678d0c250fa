import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { BulkReader } from "./bulk_reader.ts";

/** Entities of bulk sheets. If several tabs or files contain an entity, the last row wins. */
export class BulkEntities {
  readonly #readers: readonly BulkReader[];

  constructor(readers: readonly BulkReader[]) {
    this.#readers = readers;
  }

  get kinds(): readonly ResourceKind[] {
    return [...new Set(this.#readers.flatMap(({ kinds }) => kinds))];
  }

  *of(kind: ResourceKind): Generator<readonly [id: string, entity: EntityFields]> {
    const readers = this.#readers.filter((reader) => reader.count(kind) > 0);
    for (const [at, reader] of readers.entries()) {
      const later = readers.slice(at + 1);
      for (const found of reader.entities(kind)) {
        if (!later.some((one) => one.has(kind, found[0]))) yield found;
      }
    }
  }

  count(): number {
    let count = 0;
    for (const kind of this.kinds) {
      const readers = this.#readers.filter((reader) => reader.count(kind) > 0);
      if (readers.length === 1) count += readers[0]?.count(kind) ?? 0;
      else for (const _ of this.of(kind)) count += 1;
    }
    return count;
  }

  *[Symbol.iterator](): Generator<
    readonly [kind: ResourceKind, entities: Iterable<readonly [id: string, entity: EntityFields]>]
  > {
    for (const kind of this.kinds) yield [kind, this.of(kind)];
  }
}
