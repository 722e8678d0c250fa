import { unitsText } from "../../plans/model/experiment.ts";
import type { PlanPower } from "../../store/figures/plan_power.ts";

export function powerLines(power: PlanPower): string[] {
  const { effect, weeks, figure, units, unit, share, days, tries } = power;
  const sign = effect < 0 ? "-" : "+";
  const weeksText = (count: number): string => `${count} ${count === 1 ? "week" : "weeks"}`;
  return [
    `${Math.round(power.power * 100)} % chance to find ${sign}${percent(Math.abs(effect))} ${figure} in ` +
    `${weeksText(weeks)}, with ${percent(share)} of ${units} ${unitsText(unit)} held back`,
    power.weeks_for_80 === null
      ? "More weeks than the stored days can show are needed for a chance of 80 %"
      : `A chance of 80 % takes ${weeksText(power.weeks_for_80)}`,
    power.smallest_effect === null
      ? `Not even +400 % would be found in ${weeksText(weeks)} with a chance of 80 %`
      : `Smallest rise that ${weeksText(weeks)} can show: +${percent(power.smallest_effect)}`,
    `Simulated ${tries} times on ${days.start} to ${days.end}`,
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
