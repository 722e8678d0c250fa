import type { AccountCopy, ProfileCopy } from "../../emulator/state/account_copy.ts";
import type { ShopperLevel } from "../../emulator/state/traffic_levels.ts";
import { ConfigurationError } from "../../errors.ts";
import { gunzip } from "../../client/reports/file/gunzip.ts";
import { TextHash } from "../../base/text/sha256.ts";
import { jsonLine, linesIn } from "../../base/text/lines.ts";

const FORMAT = "platform-ads-account-copy";
const VERSION = 1;
const PER_LINE = 250;

interface Head {
  readonly format: string;
  readonly version: number;
  readonly takenAt: string;
  readonly profiles: readonly Omit<ProfileCopy, "collections">[];
}

/**
 * Packs the copy of an account into the bytes of a file: gzipped JSON lines, followed by a SHA-256 of them. Yields
 * chunks, so that a large account is never held as one text.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { packSnapshot, snapshotAccount } from "@platform/ads/account";
 *
 * async function keep(us: ProfileClient): Promise<Uint8Array[]> {
 *   return await Array.fromAsync(packSnapshot(await snapshotAccount(us)));
 * }
 * ```
 */
export async function* packSnapshot(copy: AccountCopy): AsyncGenerator<Uint8Array> {
  const lines = linesOf(copy);
  const encoder = new TextEncoder();
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  for await (const part of source.pipeThrough(new CompressionStream("gzip"))) yield part;
}

/**
 * Parses the bytes of {@linkcode packSnapshot}.
 *
 * @param options `name`: what the file is called in messages.
 * @throws {ConfigurationError} when it is another file, of another version, cut short or damaged.
 *
 * @example
 * ```ts
 * import { unpackSnapshot } from "@platform/ads/account";
 * import { Emulator } from "@platform/ads/emulator";
 *
 * async function start(file: Blob): Promise<Emulator> {
 *   return await Emulator.start({ account: await unpackSnapshot(file.stream(), { name: "friday.snap" }) });
 * }
 * ```
 */
export async function unpackSnapshot(
  bytes: AsyncIterable<Uint8Array>,
  { name = "the copy" }: { readonly name?: string } = {},
): Promise<AccountCopy> {
  const refuse = (why: string, cause?: unknown): ConfigurationError =>
    new ConfigurationError(
      `Cannot use "${name}": ${why}. Take a copy with snapshotAccount()`,
      cause === undefined ? {} : { cause },
    );
  const reader = new SnapshotReader(refuse);
  try {
    for await (const line of linesIn(gunzip(bytes))) reader.add(line);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw refuse("it is not an account copy, or it is incomplete", error);
  }
  return reader.end();
}

function* linesOf({ takenAt, profiles }: AccountCopy): Generator<string> {
  const hash = new TextHash();
  const line = (value: unknown): string => {
    const text = jsonLine(value);
    hash.update(text);
    return text;
  };
  const heads = profiles.map(({ collections: _, levels, ...profile }) => ({
    ...profile,
    ...(levels === undefined ? {} : { levels: { ...levels, clauses: {} } }),
  }));
  yield line({ format: FORMAT, version: VERSION, takenAt, profiles: heads });
  for (const [profile, { collections, levels }] of profiles.entries()) {
    for (const [collection, entities] of Object.entries(collections)) {
      yield line({ profile, collection });
      for (let at = 0; at < entities.length; at += PER_LINE) {
        yield line({ profile, collection, entities: entities.slice(at, at + PER_LINE) });
      }
    }
    const clauses = Object.entries(levels?.clauses ?? {});
    for (let at = 0; at < clauses.length; at += PER_LINE) {
      yield line({ profile, clauses: clauses.slice(at, at + PER_LINE) });
    }
  }
  yield jsonLine({ sha256: hash.hex() });
}

class SnapshotReader {
  readonly #refuse: (why: string, cause?: unknown) => ConfigurationError;
  readonly #hash = new TextHash();
  #head: Head | undefined;
  #collections: Record<string, unknown[]>[] = [];
  #clauses: Record<string, ShopperLevel>[] = [];
  #isWhole = false;

  constructor(refuse: (why: string, cause?: unknown) => ConfigurationError) {
    this.#refuse = refuse;
  }

  add(text: string): void {
    if (this.#isWhole) throw this.#refuse("there is data after its end");
    const line = this.#read(text);
    if (this.#head === undefined) {
      this.#begin(line);
    } else if (typeof line["sha256"] === "string") {
      if (line["sha256"] !== this.#hash.hex()) {
        throw this.#refuse("it was changed or damaged: its checksum does not match");
      }
      this.#isWhole = true;
      return;
    } else this.#addPart(line);
    this.#hash.update(`${text}\n`);
  }

  end(): AccountCopy {
    if (this.#head === undefined) throw this.#refuse("it is empty");
    if (!this.#isWhole) throw this.#refuse("it is incomplete: its end is missing");
    const { takenAt, profiles } = this.#head;
    return {
      takenAt,
      profiles: profiles.map((profile, at) => ({
        ...profile,
        ...(profile.levels === undefined
          ? {}
          : { levels: { ...profile.levels, clauses: this.#clauses[at]! } }),
        collections: this.#collections[at],
      })) as ProfileCopy[],
    };
  }

  #read(text: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    } catch {
      // Not JSON: refused below.
    }
    throw this.#refuse("it is not an account copy, or it is damaged");
  }

  #begin(line: Record<string, unknown>): void {
    if (line["format"] !== FORMAT) throw this.#refuse("it is not an account copy");
    if (line["version"] !== VERSION) {
      throw this.#refuse(
        `it has version ${JSON.stringify(line["version"])}, and this release reads version ${VERSION}`,
      );
    }
    if (!Array.isArray(line["profiles"]) || typeof line["takenAt"] !== "string") {
      throw this.#refuse("it is damaged");
    }
    this.#head = line as unknown as Head;
    this.#collections = this.#head.profiles.map(() => ({}));
    this.#clauses = this.#head.profiles.map(() => ({}));
  }

  #addPart({ profile, collection, entities = [], clauses = [] }: Record<string, unknown>): void {
    const collections = this.#collections[Number(profile)];
    const levels = this.#clauses[Number(profile)];
    if (
      collections === undefined || levels === undefined || !Array.isArray(entities) || !Array.isArray(clauses)
    ) {
      throw this.#refuse("it is damaged");
    }
    if (typeof collection === "string") {
      const list = collections[collection] ??= [];
      for (const entity of entities) list.push(entity);
    }
    for (const [id, level] of clauses) levels[id] = level;
  }
}
