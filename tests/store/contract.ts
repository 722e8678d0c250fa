import { accounts } from "./contract/accounts.ts";
import { differences } from "./contract/differences.ts";
import { entities } from "./contract/entities.ts";
import { keeping } from "./contract/keeping.ts";
import { looking } from "./contract/looking.ts";
import { marts } from "./contract/marts.ts";
import { remembering } from "./contract/remembering.ts";
import { querying } from "./contract/querying.ts";
import { streaming } from "./contract/streaming.ts";
import { sharing } from "./contract/sharing.ts";
import { workflows } from "./contract/workflows.ts";
import { testsFor, type TestStore } from "./contract/ground.ts";

export type { TestStore };

/**
 * Holds a driver to what `StoreDriver` promises. Every driver runs it.
 *
 * @param name Names the driver in the names of the tests.
 * @param create Makes an empty store.
 * @param tag Called before a test that costs a server much.
 */
export function storeContract(
  name: string,
  create: () => Promise<TestStore>,
  tag: () => void = () => {},
): void {
  const it = testsFor(name, create, tag);
  keeping(it);
  looking(it);
  marts(it);
  querying(it, name);
  sharing(it);
  remembering(it);
  differences(it);
  accounts(it);
  entities(it);
  streaming(it);
  workflows(it);
}
