/** What is asked of a year, by its name in the figures; each is asked as of an earlier moment as well. */
export const QUERIES: Readonly<Record<string, (profile: string, last: string) => string>> = {
  "performance: a month of one profile by campaign": (profile) =>
    `SELECT campaign_id, sum(cost) AS cost, sum(sales) AS sales, sum(sales * (1 - immature)) AS mature
     FROM performance WHERE profile_id = '${profile}' AND date BETWEEN '2026-05-01' AND '2026-05-31'
     GROUP BY campaign_id`,
  "search_term_performance: terms of a month of one profile that no keyword has": (profile) =>
    `SELECT search_term, sum(cost) AS cost FROM search_term_performance
     WHERE profile_id = '${profile}' AND date BETWEEN '2026-05-01' AND '2026-05-31' AND exact_keyword_id IS NULL
     GROUP BY search_term ORDER BY cost DESC LIMIT 20`,
  "budget_pressure: a month of one profile": (profile) =>
    `SELECT campaign_id, max(budget_used) AS used FROM budget_pressure
     WHERE profile_id = '${profile}' AND date BETWEEN '2026-05-01' AND '2026-05-31' GROUP BY campaign_id`,
  "sp_targeting: spend of the last week by profile": (_, last) =>
    `SELECT profile_id, sum(cost) AS cost FROM sp_targeting WHERE date > '${last}' GROUP BY profile_id`,
  "performance: a month of all profiles by product": () =>
    `SELECT ad_product, sum(cost) AS cost, sum(sales) AS sales FROM performance
     WHERE date BETWEEN '2026-05-01' AND '2026-05-31' GROUP BY ad_product`,
};
