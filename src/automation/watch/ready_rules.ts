import { FULL_SHARE } from "../../store/model/full_share.ts";

/**
 * Starter file with twelve rules, for `adsctl auto init watch`.
 *
 * @example
 * ```ts
 * import { parseWatch, READY_RULES } from "@platform/ads/watch";
 *
 * console.log(parseWatch(READY_RULES, "watch.yaml").rules.length); // 12
 * ```
 */
export const READY_RULES: string =
  `# Alert rules. Check them with "adsctl auto check watch", try a rule on stored history with
# "adsctl auto test spend_jump --from -60", and run "adsctl auto run watch" from cron after each sync.
version: 1

channels:
  out: { kind: stdout }
  # log: { kind: file, path: alerts.jsonl }
  # mail: { kind: email, server_env: SMTP_URL, from: ads@example.com, to: [team@example.com] } # smtps://USER:PASSWORD@HOST
  # team: { kind: slack, url_env: SLACK_WEBHOOK_URL } # the address is read from the environment
  # pager: { kind: webhook, url_env: ALERTS_URL, secret_env: ALERTS_SECRET } # signed, see docs/guides/watch.md

# Figures are written as cost7d: impressions, clicks, cost, orders, sales, acos, roas, cpc, ctr and cvr of the last 1, 2, 3,
# 7, 14 or 30 days; cost7d_before covers the 7 days before that. cost1d_median and cost1d_mad are the median of the same
# weekday in the eight weeks before, and its spread. Rules on sales use days with complete orders, 15 days ago;
# days: fresh uses yesterday. Rows with unknown figures never match.
# acos30d.low and acos30d.high bound the rate with 95 % confidence, for rows with few clicks.
# Rules can also cover today (spent budgets), hours and stream (hourly figures), timers (of adsctl auto run), schedules
# (amounts left alone), experiments and operations (that end): docs/guides/watch.md lists their facts.
rules:
  spend_jump:
    over: market
    when: cost1d > 1.5 * cost1d_median && cost1d > cost1d_median + 5 * cost1d_mad && cost1d_median > 5
    severity: urgent
    say: "{cost1d} was spent on {day}; {cost1d_median} is normal for that weekday"
    advice: adsctl account bids history and adsctl account drift show whether someone raised bids or budgets
  spend_stopped:
    over: campaign
    when: cost2d == 0 && cost7d_before > 0 && cost14d_before > 20 && clicks14d_before >= 30
    once: weekly
    severity: urgent
    say: "{campaign} has spent nothing for two days, after {cost14d_before} in the two weeks before"
    advice: check its state, budget, payment method and products
  sales_stopped:
    over: campaign
    days: fresh
    # No order in three days, where last month's conversion rate predicts at least ten.
    when: orders3d == 0 && clicks3d * cvr30d_before >= 10 && orders30d_before >= 30
    once: weekly
    severity: urgent
    say: "{campaign} has {clicks3d} clicks and no order in three days; its conversion rate was {cvr30d_before}"
    advice: check the listing, stock and price of its products
  acos_above_target:
    over: campaign
    when: acos30d > 60% && acos14d > 60% && clicks30d >= 100 && orders30d >= 5
    once: weekly
    say: "{campaign} has an ACOS of {acos30d} over 30 days"
    advice: adsctl plan bids --where 'acos30d > 60%' --change -15% plans lower bids
  budget_out:
    over: campaign
    when: budget_used7d > ${FULL_SHARE} && full_days7d >= 4
    for: 2 days
    once: weekly
    say: "{campaign} spent its budget of {budget} on {full_days7d} of the last seven days"
    advice: adsctl plan budgets raises the budgets of campaigns that sell
  # budget_out_today: # the same during the day, for a watch that runs every hour
  #   over: today
  #   when: budget_used >= 95% && hour < 18
  #   once: weekly
  #   say: "{campaign} had spent {budget_used} of {budget} at {hour}"
  budget_unused:
    over: campaign
    when: budget_used7d < 10% && budget > 50 && clicks30d >= 10
    once: weekly
    severity: note
    say: "{campaign} uses {budget_used7d} of its budget of {budget}"
    advice: lower the budget, or raise bids
  term_wastes:
    over: search_term
    when: orders30d == 0 && clicks30d >= 40
    once: weekly
    say: '"{search_term}" cost {cost30d} in {campaign} and sold nothing'
    advice: adsctl plan negatives blocks such terms
    # propose: negatives
  bid_above_cpc:
    over: keyword
    when: bid > 4 * cpc30d && clicks30d >= 60 && bid > 2
    once: weekly
    severity: note
    say: "{keyword} ({match_type}) in {campaign} bids {bid} at a CPC of {cpc30d}"
    advice: lower the bid; far above CPC, one new competitor can raise the cost of every click
  drift_not_ours:
    over: drift
    when: changes1d > 0
    severity: note
    say: "{campaign} was changed, but not by a plan"
    advice: adsctl account drift shows the changes, and adsctl plan from-history restores the values
  day_expires:
    over: reports
    when: expires_days <= 7
    severity: urgent
    say: "in {expires_days} days the platform deletes days of {report} that are not stored"
    advice: adsctl sync fetches them
  sync_late:
    over: reports
    when: late_days >= 2
    say: "{report} is {late_days} days late"
    advice: run adsctl sync, and check why it did not run
  writes_refused:
    over: plans
    when: refused1d > 0 || unknown1d > 0
    severity: urgent
    say: "{refused1d} changes of the last day were refused; the outcome of {unknown1d} is unknown"
    advice: adsctl plan list shows the plans; adsctl plan resume settles unknown outcomes
`;
