export const SCHEDULES_STARTER = `# Schedules: factors on base values for each hour of the week.
# Check it with "adsctl auto check schedules", look at it with "adsctl auto show schedules".
version: 1
schedules:
  nights:
    select: { names: ["*"], products: [sp] } # campaigns; also ids, labels (tags), when (a condition)
    move: bid # bid, budget, placement_top, placement_product, placement_rest or state
    # zone: America/New_York # default: the profile's time zone
    on: worker # by adsctl auto run schedules; or platform: as platform rules, which need no process
    # expires: 1d # after a day without a run, the next run restores the bases and stops
    foreign_edits: keep # keep and report changes by others; or adopt, insist
    min: 0.02 # lowest bid
    grid:
      # Other hours have factor 1. 00-06 ends at 06:00.
      - { hours: "00-06", factor: 0.5 }
`;
