/**
 * Seconds that a `Retry-After` header asks for, given as seconds or as an HTTP date; `undefined` when it says nothing
 * that can be understood. A date is compared with the `Date` of the same response, so that a wrong clock on this
 * machine does not matter; without one, with the clock.
 *
 * @param now Milliseconds since the epoch, by this machine's clock.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, (until - (httpDate(headers.get("date")?.trim() ?? "") ?? now)) / 1000);
}

/** `Date.parse` takes "-5" and "bananas 12" for dates; only what looks like an HTTP date may reach it. */
function httpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d:\d\d:\d\d GMT$/.test(text)) {
    return undefined;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
