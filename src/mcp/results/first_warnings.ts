const SHOWN = 50;

/** The first warnings of many, closed by how many there are besides. */
export function firstWarnings(warnings: readonly string[]): string[] {
  const left = warnings.length - SHOWN;
  return left > 0 ? [...warnings.slice(0, SHOWN), `and ${left} more warnings`] : [...warnings];
}
