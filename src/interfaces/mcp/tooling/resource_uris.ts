export const COVERAGE = "platform-ads://coverage";

export const PLAN_LIST = "platform-ads://plans";

export const PLANS = "platform-ads://plans/{id}";

export function planUri(id: string): string {
  return addressOf(PLANS, id);
}

export function addressOf(template: string, id: string): string {
  return template.replace("{id}", id);
}
