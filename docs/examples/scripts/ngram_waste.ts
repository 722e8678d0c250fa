/**
 * Finds words of search terms that cost money in many terms and sold nothing, and alerts: single terms stay below the
 * threshold of most rules, their words do not.
 *
 *     adsctl auto script docs/examples/scripts/ngram_waste.ts -m US
 */
import type { ScriptContext } from "@platform/ads/scripts";

const CLICKS = 20;

export default async function ({ profile, log, alert }: ScriptContext): Promise<void> {
  const rows = await profile.figures({ by: ["search_term"], from: "-74", to: "-15" });
  const words = new Map<string, { clicks: number; cost: number; orders: number; terms: number }>();
  for (const { search_term: term, clicks, cost, orders } of rows) {
    for (const word of new Set(String(term).toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))) {
      const sum = words.get(word) ?? { clicks: 0, cost: 0, orders: 0, terms: 0 };
      words.set(word, {
        clicks: sum.clicks + clicks,
        cost: sum.cost + cost,
        orders: sum.orders + orders,
        terms: sum.terms + 1,
      });
    }
  }
  const waste = [...words].filter(([, { clicks, orders }]) => clicks >= CLICKS && orders === 0)
    .sort(([, a], [, b]) => b.cost - a.cost).slice(0, 10);
  log(`${rows.length} search terms, ${words.size} words, ${waste.length} of them cost and never sold`);
  if (waste.length === 0) return;
  alert({
    title: `${waste.length} words cost money in ${profile.countryCode} and never sold`,
    text: waste.map(([word, { cost, clicks, terms }]) =>
      `${word}: ${cost.toFixed(2)} ${profile.currencyCode}, ${clicks} clicks in ${terms} terms`
    ).join("\n"),
  });
}
