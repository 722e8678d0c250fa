import { createHash } from "node:crypto";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Random } from "../../core/random.ts";
import { uuid } from "./message_queue.ts";

interface DeliveryQuirks {
  /** From 0 to 1. */
  readonly queueDuplicates: number;
  readonly deliveryGzip: boolean;
}

export interface DeliveredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

const AT_ONCE = 400;

/**
 * One bucket per delivery stream. Object keys start with the arrival hour in UTC; records have no line breaks between
 * them.
 */
export class DeliveredObjects {
  readonly #buckets = new Map<string, Map<string, DeliveredObject>>();

  bucket(name: string): ReadonlyMap<string, DeliveredObject> | undefined {
    return this.#buckets.get(name);
  }

  clear(): void {
    this.#buckets.clear();
  }

  deliver(
    stream: string,
    records: readonly string[],
    { hour, at, quirks }: { hour: number; at: number; quirks: DeliveryQuirks },
  ): void {
    const bucket = this.#buckets.get(stream) ?? new Map<string, DeliveredObject>();
    this.#buckets.set(stream, bucket);
    const random = new Random(`delivery ${stream} ${hour}`);
    const again = records.filter(() => random.chance(quirks.queueDuplicates));
    const all = random.shuffled([...records, ...again]);
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const text = all.slice(start, start + AT_ONCE).join("");
      const [day = "", time = ""] = new Date(hour).toISOString().slice(0, 19).split("T");
      const name = `${stream}-1-${day}-${time.replaceAll(":", "-")}-${uuid(`${stream} ${hour} ${text}`)}`;
      const bytes = new TextEncoder().encode(text);
      const packed = quirks.deliveryGzip ? new Uint8Array(gzipSync(bytes)) : bytes;
      const key = `${day.replaceAll("-", "/")}/${time.slice(0, 2)}/${name}${
        quirks.deliveryGzip ? ".gz" : ""
      }`;
      const etag = `"${createHash("md5").update(packed).digest("hex")}"`;
      bucket.set(key, { bytes: packed, etag, modified: at });
    }
  }

  /** Skips existing files. */
  async write(stream: string, folder: string): Promise<number> {
    let written = 0;
    for (const [key, { bytes }] of this.#buckets.get(stream) ?? []) {
      const path = join(folder, ...key.split("/"));
      if (await stat(path).then(() => true, () => false)) continue;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      written++;
    }
    return written;
  }
}
