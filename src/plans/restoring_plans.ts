/** Plans that restore what a recorded result says was changed. */
const RESTORING = new WeakSet<object>();

/** Marks a plan that was made from the results of one that was applied; returns it. */
export function markRestoring<Plan extends object>(plan: Plan): Plan {
  RESTORING.add(plan);
  return plan;
}

/**
 * True for a plan that restores what was. That a plan names another in `reverses` is not enough: anybody can write that
 * into a file.
 */
export function isRestoring(plan: object): boolean {
  return RESTORING.has(plan);
}
