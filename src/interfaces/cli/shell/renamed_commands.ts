/** Commands renamed since 0.3. The old names work until 0.5. */
const RENAMED: Readonly<Record<string, string>> = {
  "arena": "demo arena",
  "audit": "auto audit",
  "audit verify": "auto audit check",
  "bids": "account bids",
  "copy": "account copy",
  "diff": "account diff",
  "drift": "account drift",
  "emulator": "demo",
  "experiments": "plan experiments",
  "history": "account history",
  "labels": "account labels",
  "pacing": "auto",
  "pacing check": "auto check pacing",
  "pacing init": "auto init pacing",
  "pacing plan": "auto plan pacing",
  "pacing run": "auto run pacing",
  "pacing show": "auto show pacing",
  "plan inverse": "plan undo --only-plan",
  "plan rehearse": "account rehearse plan",
  "profiles": "auth profiles",
  "pull": "account pull",
  "recommendations": "account recommendations",
  "rehearse": "account rehearse",
  "run": "auto script",
  "schedule": "auto",
  "schedule check": "auto check schedules",
  "schedule init": "auto init schedules",
  "schedule plan": "auto plan schedules",
  "schedule run": "auto run schedules",
  "schedule show": "auto show schedules",
  "schedule status": "auto status schedules",
  "schedule tick": "auto run schedules",
  "service": "auto",
  "store query": "query",
  "stream": "store stream",
  "stream consume": "store stream run",
  "watch": "auto",
  "watch check": "auto check watch",
  "watch init": "auto init watch",
  "watch run": "auto run watch",
  "wire": "ops wire",
  "worker": "auto worker",
};

export const OLD_NAMES: readonly string[] = Object.keys(RENAMED);

export function newNameOf(old: string): string | undefined {
  return Object.hasOwn(RENAMED, old) ? RENAMED[old] : undefined;
}

export interface RenamedLine {
  readonly args: readonly string[];
  readonly from: string;
  readonly to: string;
}

export function renamedLine(
  args: readonly string[],
  at: number,
  takesValue: (option: string) => boolean = () => false,
): RenamedLine | undefined {
  const name = args[at];
  if (name === undefined) return undefined;
  let second = at + 1;
  while (args[second]?.startsWith("-")) second += takesValue(args[second] ?? "") ? 2 : 1;
  const both = `${name} ${args[second] ?? ""}`;
  const long = newNameOf(both);
  const to = long ?? newNameOf(name);
  if (to === undefined) return undefined;
  const rest = args.slice(at + 1).filter((_, index) => long === undefined || at + 1 + index !== second);
  return {
    args: [...args.slice(0, at), ...to.split(" "), ...rest],
    from: long === undefined ? name : both,
    to,
  };
}
