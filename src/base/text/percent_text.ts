export function percentText(share: number, decimals = 1): string {
  return `${(100 * share).toFixed(decimals)} %`;
}

/** Writes a difference, with its sign also if it is positive. */
export function signedPercentText(share: number, decimals = 1): string {
  return `${share < 0 ? "-" : "+"}${percentText(Math.abs(share), decimals)}`;
}
