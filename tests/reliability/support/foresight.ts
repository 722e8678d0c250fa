import type { ProfileClient } from "../../../mod.ts";
import type { PlanMaker } from "./plan_maker.ts";

/** How well the findings of plans agree with what the platform refuses. */
export class Foresight {
  /** Changes that were sent. */
  changes = 0;
  /** Those that the platform refused. */
  refused = 0;
  /** Those of them that a finding had said would be refused. */
  foreseen = 0;
  /** New entities that were left out of a plan, as they were there already. */
  leftOut = 0;
  /** Changes that the platform refused without a finding. */
  readonly missed: string[] = [];
  /** Changes that the platform accepted against a finding. */
  readonly wrong: string[] = [];

  /** Makes random plans and sends all of them, what is foreseen to be refused as well. */
  async count(us: ProfileClient, maker: PlanMaker, plans: number): Promise<void> {
    for (let turn = 0; turn < plans; turn++) {
      await maker.read();
      const plan = await maker.plan();
      this.leftOut += plan.findings.filter(({ code }) => code === "ALREADY_THERE").length;
      if (plan.changes.length === 0) continue;
      const foreseen = new Set(plan.findings.flatMap(({ change, refused }) => refused ? change ?? [] : []));
      const result = await plan.apply(us, { sendAnyway: true });
      for (const [at, { change, outcome, error }] of result.changes.entries()) {
        if (outcome === "not_sent") continue;
        this.changes++;
        const isRefused = outcome === "refused";
        if (isRefused) this.refused++;
        if (isRefused && foreseen.has(at)) this.foreseen++;
        const what = `${us.countryCode} ${change.op} ${change.kind}`;
        if (isRefused && !foreseen.has(at)) {
          this.missed.push(`${what} ${JSON.stringify(change.after)}: ${error?.code} ${error?.message}`);
        }
        if (!isRefused && foreseen.has(at)) {
          const why = plan.findings.filter((finding) => finding.change === at).map(({ code, message }) =>
            `${code}: ${message}`
          );
          this.wrong.push(`${what} ${outcome} ${JSON.stringify(change.after)}: ${why.join("; ")}`);
        }
      }
    }
  }

  /** Share of the refusals that were foreseen. */
  get share(): number {
    return this.foreseen / this.refused;
  }

  /** The figures in words. */
  summary(): string {
    return `${this.changes} changes, ${this.refused} refused, ${this.foreseen} of them foreseen (${
      (100 * this.share).toFixed(1)
    } %), ${this.wrong.length} foreseen ones accepted, ${this.leftOut} left out as already there`;
  }
}
