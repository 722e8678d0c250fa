export function percentText(share: number, decimals = 1): string {
  return `${(100 * share).toFixed(decimals)} %`;
}

/** Writes a difference, with its sign also if it is positive. */
export function signedPercentText(share: number, decimals = 1): string {
  return `${share < 0 ? "-" : "+"}${percentText(Math.abs(share), decimals)}`;
}

/** Rounds an amount; halves are rounded away from zero. */
export function roundMoney(amount: number, decimals: number): number {
  const exact = Number(Math.abs(amount).toPrecision(12));
  // Written with an exponent it would get a second one.
  const scaled = exact < 1e-6 ? 0 : Number(`${exact}e${decimals}`);
  return Math.sign(amount) * Number(`${Math.round(scaled)}e-${decimals}`);
}

export function moneyText(amount: number, decimals: number): string {
  const own = String(amount).split(".")[1]?.length ?? 0;
  return amount.toFixed(Math.max(decimals, Math.min(own, 4)));
}

export function counted(count: number, noun: string, shown: string = String(count)): string {
  return `${shown} ${count === 1 ? noun : `${noun.replace(/(?<![aeiou])y$/, "ie")}s`}`;
}
