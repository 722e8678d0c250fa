/** Converts percent to a share, without the last digits that the division would add. */
export function fromPercent(percent: number): number {
  return rounded(percent / 100);
}

/**
 * Lists both meanings of a bare number above 1, spelled so that each is accepted: 30 is 30 % or 3,000 %.
 *
 * @param quote around texts, where a bare number is something else
 */
export function shareAdvice(value: number, quote = ""): string {
  const percent = (number: number): string => `${quote}${rounded(number)}%${quote}`;
  const bare = Math.abs(value) <= 100 ? ` (${fromPercent(value)})` : "";
  // Nothing can fall by more than 100 %.
  const other = value > 0 ? ` or ${percent(value * 100)}` : "";
  return `write ${percent(value)}${bare}${other}`;
}

/** Lists the forms of a share in JSON. */
export function shareForms(or: string | undefined): string {
  return or === undefined ? '0.3 or "30%"' : `0.3, "30%" or "${or}"`;
}

function rounded(number: number): number {
  return Number(number.toPrecision(12));
}
