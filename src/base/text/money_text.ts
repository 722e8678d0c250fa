/** An amount rounded to a number of decimals, half away from zero. */
export function roundMoney(amount: number, decimals: number): number {
  const scaled = Number(`${Number(Math.abs(amount).toPrecision(12))}e${decimals}`);
  return Math.sign(amount) * Number(`${Math.round(scaled)}e-${decimals}`);
}

/** An amount with the currency's decimals, or more where it has more. */
export function moneyText(amount: number, decimals: number): string {
  const own = String(amount).split(".")[1]?.length ?? 0;
  return amount.toFixed(Math.max(decimals, Math.min(own, 4)));
}

/**
 * A count with its noun: `1 row`, `12 rows`.
 *
 * @param shown The count as it is shown, for example with thousands parted.
 */
export function counted(count: number, noun: string, shown: string = String(count)): string {
  return `${shown} ${count === 1 ? noun : `${noun.replace(/(?<![aeiou])y$/, "ie")}s`}`;
}
