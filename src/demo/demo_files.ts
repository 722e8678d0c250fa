import { stateFolder } from "../runtime/user_folders.ts";

/** Paths of the demo account. */
export interface DemoFiles {
  readonly state: string;
  /** The lock that the one process holds that serves it. */
  readonly lock: string;
  /** Address of an emulator that serves it for others; there only while one does. */
  readonly serving: string;
}

/** Paths of the demo account: below the user's folder for state. */
export function demoFiles(env: Readonly<Record<string, string | undefined>>): DemoFiles {
  const folder = stateFolder(env);
  return {
    state: `${folder}/demo.json`,
    lock: `${folder}/demo.lock`,
    serving: `${folder}/demo.serving.json`,
  };
}
