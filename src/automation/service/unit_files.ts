export type UnitName = "schedules" | "pacing" | "goals" | "watch";

interface UnitFile {
  readonly name: string;
  readonly what: string;
  readonly key: string;
}

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

export function unitOfText(text: string): UnitName | undefined {
  const keys = new Set([...text.matchAll(/^["']?(\w+)["']?\s*:/gm)].map(([, key]) => key));
  return keys.has("timers") ? undefined : UNIT_NAMES.find((unit) => keys.has(UNIT_FILES[unit].key));
}
