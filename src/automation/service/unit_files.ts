/** Name of a unit that has a file: its timer in the service's file, and its word in `adsctl auto`. */
export type UnitName = "schedules" | "pacing" | "goals" | "watch";

interface UnitFile {
  /** Default path. */
  readonly name: string;
  /** Noun for help and errors. */
  readonly what: string;
  /** Top-level key that no other file of automation has. */
  readonly key: string;
}

/** Files of the units, in the order of timers. */
export const UNIT_FILES: Readonly<Record<UnitName, UnitFile>> = {
  schedules: { name: "schedules.yaml", what: "schedule file", key: "schedules" },
  pacing: { name: "pacing.yaml", what: "pacing file", key: "budgets" },
  goals: { name: "goals.yaml", what: "goals file", key: "goals" },
  watch: { name: "watch.yaml", what: "rule file", key: "rules" },
};

export const UNIT_NAMES = Object.keys(UNIT_FILES) as readonly UnitName[];

export function isUnit(work: string): work is UnitName {
  return Object.hasOwn(UNIT_FILES, work);
}

/** The unit that a file belongs to, by its top-level keys; `undefined` for the service's file and all others. */
export function unitOfText(text: string): UnitName | undefined {
  const keys = new Set([...text.matchAll(/^["']?(\w+)["']?\s*:/gm)].map(([, key]) => key));
  return keys.has("timers") ? undefined : UNIT_NAMES.find((unit) => keys.has(UNIT_FILES[unit].key));
}
