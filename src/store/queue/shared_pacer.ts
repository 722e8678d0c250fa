import { isPostgres } from "../../base/text/is_postgres.ts";
import { FilePaceStore } from "../../platform/transport/pacer/file_pace_store.ts";
import type { PaceStore } from "../../platform/transport/pacer/pace_store.ts";
import { Pacer } from "../../platform/transport/pacer/pacer.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { credentialKey } from "./credential_key.ts";

export interface SharedPacer {
  readonly pacer: Pacer;
  close(): Promise<void>;
}

interface SharedPacerPlace {
  readonly clientId: string;
  readonly folder: string;
  readonly store?: string | undefined;
}

/**
 * Opens a pacer that is shared through a PostgreSQL store, for many machines, otherwise through a file. The file is
 * also used if the database is unavailable.
 */
export async function openSharedPacer({ clientId, folder, store }: SharedPacerPlace): Promise<SharedPacer> {
  const key = credentialKey(clientId);
  const file = new FilePaceStore(fileSystem().join(folder, `pace-${key}.json`));
  const database = store !== undefined && isPostgres(store)
    ? await openDatabase(store, { key, file })
    : undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    await file.close();
  };
  return { pacer: Pacer.shared(database?.store ?? file), close };
}

async function openDatabase(
  address: string,
  { key, file }: { readonly key: string; readonly file: PaceStore },
): Promise<{ store: PaceStore; close(): Promise<void> } | undefined> {
  try {
    const [{ connect }, { PostgresPaceStore }] = await Promise.all([
      import("../postgres/connection.ts"),
      import("./postgres_pace_store.ts"),
    ]);
    const database = connect(address, { max: 1 });
    let place: PaceStore;
    const paces = new PostgresPaceStore(database, { onProblem: () => place = file });
    paces.join(key);
    place = paces;
    return {
      store: { isShared: true, update: (change) => place.update(change) },
      close: async () => {
        await paces.close();
        await database.close();
      },
    };
  } catch {
    // The packages of PostgreSQL are missing, or the address is wrong: what uses the store says so.
    return undefined;
  }
}
