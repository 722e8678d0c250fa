/** Address of the resource that says what the store holds. */
export const COVERAGE = "platform-ads://coverage";

/** Address of the resource that lists the plans. */
export const PLAN_LIST = "platform-ads://plans";

/** Address of the resource of a plan, with a place for its id. */
export const PLANS = "platform-ads://plans/{id}";

export function planUri(id: string): string {
  return addressOf(PLANS, id);
}

export function addressOf(template: string, id: string): string {
  return template.replace("{id}", id);
}
