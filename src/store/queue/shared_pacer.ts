import { isPostgres } from "../../base/text/is_postgres.ts";
import { FilePaceStore } from "../../platform/transport/pacer/file_pace_store.ts";
import type { PaceStore } from "../../platform/transport/pacer/pace_store.ts";
import { Pacer } from "../../platform/transport/pacer/pacer.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { credentialKey } from "./credential_key.ts";

/** A pacer that every process of an account shares, and the end of its connection. */
export interface SharedPacer {
  readonly pacer: Pacer;
  /** Writes what is still to be written, and ends the connection. */
  close(): Promise<void>;
}

/** An account, and the places where its processes can share a pace. */
interface SharedPacerPlace {
  /** Client id of the account's credentials; only a hash of it is written. */
  readonly clientId: string;
  /** Folder for the file; made when it is missing. */
  readonly folder: string;
  /** Address of the store; one in PostgreSQL is used in place of the file. */
  readonly store?: string | undefined;
}

/**
 * Opens the pacer that all processes of an account share by default: in the database of a PostgreSQL store, for any
 * number of machines, otherwise in a file of this machine. The file also stands in for a database that does not respond.
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
