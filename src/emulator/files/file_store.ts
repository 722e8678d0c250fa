import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Quirks } from "../core/quirks.ts";
import type { FileSource, StoredFile } from "./file_rows.ts";
import { tableFile } from "./table_file.ts";

/** An address under which a file can be fetched for a while. */
export interface FileLink {
  /** The address; another one at every call. */
  readonly url: string;
  /** When it stops working, milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface FileStoreParts {
  /** Signs addresses. */
  readonly key: string;
  /** Address of the emulator. */
  readonly url: string;
  /** Form of the files and life of their addresses. */
  readonly quirks: Quirks;
}

/** Bytes of files that are kept ready; older ones are made again at the next request. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Characters that are packed at a time. */
const PART = 64 * 1024;

/** Makes the files of reports and exports at the first request, and signs addresses for them. */
export class FileStore {
  readonly #parts: FileStoreParts;
  readonly #kept = new Map<string, Promise<StoredFile>>();
  #keptBytes = 0;

  /** Keeps nothing yet. */
  constructor(parts: FileStoreParts) {
    this.#parts = parts;
  }

  /**
   * The file with this id, made of its rows when it is not kept.
   *
   * @param source Its rows, and how they are written.
   */
  async file(id: string, { rows, format }: FileSource): Promise<StoredFile> {
    const ready = this.#kept.get(id);
    if (ready !== undefined) return await ready;
    const making = format === "GZIP_JSON" ? this.#make(rows()) : tableFile(rows(), format);
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

  /** Makes every file afresh from now on. */
  forget(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  /** A fresh address of a profile's file. */
  link(profileId: string, id: string, { now, nonce }: { now: number; nonce: string }): FileLink {
    const { url, quirks } = this.#parts;
    const expiresAt = now + quirks.reportUrlSeconds * 1000;
    const name = `${profileId}/${id}.json${quirks.reportPacking === "gzip" ? ".gz" : ""}`;
    const query = new URLSearchParams({ expires: String(expiresAt), nonce });
    query.set("signature", this.#sign(name, query));
    return { url: `${url}/files/${name}?${query}`, expiresAt };
  }

  /** When an address stops working; `undefined` when it was not given out here. */
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

  async #make(source: Iterable<string>): Promise<StoredFile> {
    const { quirks } = this.#parts;
    const isList = quirks.reportRows === "array";
    let rows = 0;
    function* text(): Generator<Uint8Array> {
      let part = isList ? "[" : "";
      for (const row of source) {
        part += isList ? `${rows === 0 ? "" : ","}${row}` : `${row}\n`;
        rows++;
        if (part.length < PART) continue;
        yield Buffer.from(part);
        part = "";
      }
      yield Buffer.from(isList ? `${part}]` : part);
    }
    const plain = Readable.from(text(), { objectMode: false });
    const chunks: Uint8Array[] = [];
    const packed = quirks.reportPacking === "gzip" ? plain.pipe(createGzip()) : plain;
    for await (const chunk of packed) chunks.push(chunk as Uint8Array);
    return { bytes: Buffer.concat(chunks), rows };
  }

  async #forgetOldest(): Promise<void> {
    for (const [id, making] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(id);
      this.#keptBytes -= (await making).bytes.length;
    }
  }
}
