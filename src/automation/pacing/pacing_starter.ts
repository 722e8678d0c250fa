export const PACING_STARTER = `# Pacing: an amount for a month or other dates, spent evenly.
# Check it with "adsctl auto check pacing", look at it with "adsctl auto show pacing".
version: 1
budgets:
  all:
    amount: 3000 # for each calendar month, in the profile's currency
    # currency: USD # refuses a profile of another currency
    # from: 2026-11-20 # dates other than months
    # to: 2026-12-02
    # select: { portfolios: ["Kitchen*"] } # also ids, names, labels (tags), products; otherwise the whole profile
    weekdays: learned # or a share for each day: { sat: 0.7, sun: 0.7 }
    max_step: 20% # largest change of a daily budget per day
    # floor: 5 # lowest daily budget; ceiling is the highest
    # ceiling: 200
    over: alert # lower: lowers daily budgets; pause: also pauses campaigns when the amount is spent
    alerts: [70, 90, 100] # percent of the amount
# channels: # as in watch.yaml; default: standard output
#   team: { kind: slack, url_env: TEAM_URL }
`;
