/** Lists names without repeating the prefix of their family: `campaigns, ads, brands-(campaigns, ads)`. */
export function byFamily(names: readonly string[]): string {
  const families = Map.groupBy(names, (name) => /^(?:brands-|display-|global-)?/.exec(name)?.[0] ?? "");
  return [...families].map(([family, all]) => {
    const own = all.map((name) => name.slice(family.length)).join(", ");
    return family === "" ? own : `${family}(${own})`;
  }).join(", ");
}
