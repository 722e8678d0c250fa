import { z } from "zod";
import { ConfigurationError } from "../../errors.ts";
import type { AccountNode } from "./account_reading.ts";
import { entityKey } from "./entity_key.ts";

export const LOCK_FILE = "account.lock.json";

/**
 * Ids of an entity and its children; children are grouped by the name of their list in the file, then by identity key.
 */
export interface LockedEntity {
  /** Id in the account, digits as text. */
  readonly id: string;
  /** Ids of entities that cannot have children, by list and key. */
  readonly ids?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Ad groups, by name. */
  readonly ad_groups?: Readonly<Record<string, LockedEntity>> | undefined;
}

/** Entry of a lock file for one file. */
export interface LockedFile {
  /** SHA-256 of the text that the last pull wrote; `null` if the pull kept a hand-written text. */
  readonly sha256: string | null;
  /** The campaign of the file. */
  readonly campaign?: LockedEntity | undefined;
  /** Ids of portfolios, by name. */
  readonly portfolios?: Readonly<Record<string, string>> | undefined;
}

/** Entry of a lock file for one profile. */
export interface LockedProfile {
  /** Country of the profile that the ids belong to. */
  readonly country_code: string;
  /** When the profile was last pulled, ISO 8601. */
  readonly pulled_at: string;
  /** Entries of the files, by path relative to the account's folder. */
  readonly files: Readonly<Record<string, LockedFile>>;
}

/** Ids of the entities in account files, by profile. */
export interface AccountLock {
  /** Version of the format. */
  readonly version: 1;
  /** Entries of the profiles, by profile id. */
  readonly profiles: Readonly<Record<string, LockedProfile>>;
}

const Id = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);
const Ids = z.record(z.string(), Id);
const Locked: z.ZodType<LockedEntity> = z.lazy(() =>
  z.object({
    id: Id,
    ids: z.record(z.string(), Ids).optional(),
    ad_groups: z.record(z.string(), Locked).optional(),
  })
);
const Lock = z.object({
  version: z.literal(1),
  profiles: z.record(
    z.string().regex(/^\d{1,20}$/),
    z.object({
      country_code: z.string(),
      pulled_at: z.string(),
      files: z.record(
        z.string(),
        z.object({ sha256: z.string().nullable(), campaign: Locked.optional(), portfolios: Ids.optional() }),
      ),
    }),
  ),
});

export function parseLock(text: string): AccountLock {
  try {
    const read = Lock.safeParse(JSON.parse(text));
    if (read.success) return read.data;
  } catch {
    // Reported below.
  }
  throw new ConfigurationError(
    `Cannot use ${LOCK_FILE}: it is not a lock file that this release reads. Restore it, or remove it and pull again`,
  );
}

/** One line per file keeps diffs of the lock small. */
export function lockText({ version, profiles }: AccountLock): string {
  const parts = Object.entries(profiles).map(([id, { files, ...profile }]) => {
    const lines = Object.keys(files).sort().map((path) =>
      `      ${JSON.stringify(path)}: ${JSON.stringify(files[path])}`
    );
    const head = Object.entries(profile).map(([name, value]) =>
      `      "${name}": ${JSON.stringify(value)},\n`
    );
    return `    "${id}": {\n${head.join("")}      "files": {\n${
      lines.join(",\n").replace(/^/gm, "  ")
    }\n      }\n    }`;
  });
  return `{\n  "version": ${version},\n  "profiles": {\n${parts.join(",\n")}\n  }\n}\n`;
}

export function lockedEntity(node: AccountNode): LockedEntity {
  const ids: Record<string, Record<string, string>> = {};
  const adGroups: Record<string, LockedEntity> = {};
  for (const child of node.children) {
    const { kind, id, entity } = child;
    if (kind.children.length > 0) put(adGroups, String(entity["name"]), id, lockedEntity(child));
    else put(ids[kind.list ?? ""] ??= {}, entityKey(kind, entity).replaceAll("\u0000", " ").trim(), id, id);
  }
  return {
    id: node.id,
    ...(Object.keys(ids).length === 0 ? {} : { ids }),
    ...(Object.keys(adGroups).length === 0 ? {} : { ad_groups: adGroups }),
  };
}

/** Adds the id to duplicate keys so that no entry is lost. */
function put<Value>(record: Record<string, Value>, key: string, id: string, value: Value): void {
  const isTaken = Object.hasOwn(record, key);
  Object.defineProperty(record, isTaken ? `${key} ${id}` : key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
