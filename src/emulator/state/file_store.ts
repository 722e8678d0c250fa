import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Quirks } from "../core/quirks.ts";
import type { FileFormat, StoredFile } from "./written_file.ts";

type FileRows = () => Iterable<string> | Promise<Iterable<string>>;

export interface FileSource {
  readonly rows: FileRows;
  readonly format: FileFormat;
  readonly basis?: () => FileBasis | undefined;
}

export interface FileBasis {
  readonly account: object;
  readonly terms: string;
}

interface FileLink {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface FileStoreParts {
  readonly key: string;
  readonly url: string;
  readonly quirks: Quirks;
}

/** Cache size in bytes; older files are generated again on request. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Shared between emulators in one process that start with the same account. */
const equalFiles = new WeakMap<object, Map<string, StoredFile>>();
const MAX_SHARED = { bytes: 256 * 1024, files: 128 } as const;

export class FileStore {
  readonly #parts: FileStoreParts;
  readonly #kept = new Map<string, Promise<StoredFile>>();
  #keptBytes = 0;

  constructor(parts: FileStoreParts) {
    this.#parts = parts;
  }

  async file(id: string, source: FileSource): Promise<StoredFile> {
    const ready = this.#kept.get(id);
    if (ready !== undefined) return await ready;
    const making = this.#equalOrNew(source);
    this.#kept.set(id, making);
    try {
      this.#keptBytes += (await making).bytes.length;
    } catch (problem) {
      this.#kept.delete(id);
      throw problem;
    }
    await this.#forgetOldest();
    return await making;
  }

  forget(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  link(
    profileId: string,
    id: string,
    { now, nonce, seconds, ending }: { now: number; nonce: string; seconds?: number; ending?: string },
  ): FileLink {
    const { url, quirks } = this.#parts;
    const expiresAt = now + (seconds ?? quirks.reportUrlSeconds) * 1000;
    const name = `${profileId}/${id}.${ending ?? `json${quirks.reportPacking === "gzip" ? ".gz" : ""}`}`;
    const query = new URLSearchParams({ expires: String(expiresAt), nonce });
    query.set("signature", this.#sign(name, query));
    return { url: `${url}/files/${name}?${query}`, expiresAt };
  }

  expiryOf(name: string, query: URLSearchParams): number | undefined {
    const expected = Buffer.from(this.#sign(name, query));
    const given = Buffer.from(query.get("signature") ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return Number(query.get("expires"));
  }

  #sign(name: string, query: URLSearchParams): string {
    const content = `${name} ${query.get("expires")} ${query.get("nonce")}`;
    return createHmac("sha256", this.#parts.key).update(content).digest("hex");
  }

  async #equalOrNew({ rows, format, basis: basisNow }: FileSource): Promise<StoredFile> {
    const basis = basisNow?.();
    const make = async (): Promise<StoredFile> => {
      const { writtenFile } = await import("./written_file.ts");
      return await writtenFile(await rows(), format, this.#parts.quirks);
    };
    if (basis === undefined) return await make();
    const { reportRows, reportPacking } = this.#parts.quirks;
    const key = JSON.stringify([basis.terms, format, reportRows, reportPacking]);
    let files = equalFiles.get(basis.account);
    if (files === undefined) equalFiles.set(basis.account, files = new Map());
    const equal = files.get(key);
    if (equal !== undefined) return equal;
    const made = await make();
    // The account may have changed while the rows were read.
    if (basisNow?.() !== undefined && made.bytes.length <= MAX_SHARED.bytes) files.set(key, made);
    for (const oldest of files.keys()) if (files.size > MAX_SHARED.files) files.delete(oldest);
    return made;
  }

  async #forgetOldest(): Promise<void> {
    for (const [id, making] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(id);
      this.#keptBytes -= await making.then(({ bytes }) => bytes.length, () => 0);
    }
  }
}
