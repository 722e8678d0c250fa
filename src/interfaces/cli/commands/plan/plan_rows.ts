import { ConfigurationError } from "../../../../errors.ts";
import { rowVerdicts } from "../../../../plans/model/row_verdicts.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { findPlan, readPlan } from "../../shell/find_plan.ts";

const COLUMNS = ["row", "verdict", "code"];
const FILE_COLUMNS = [...COLUMNS, "asset_id", "file"];

export const planRowsCommand = command(
  (kit) =>
    kit.leaf("rows", {
      printsRows: true,
      summary: "Print the verdict on each row of an upload",
      details:
        "For a plan from adsctl plan upload that was applied, or resumed to its end. verdict is accepted, refused, " +
        "not_sent, or unknown (may have arrived, is never resent). row is the row number in a spreadsheet, " +
        "and the values of rows are not printed. Images and videos have file and asset_id; adsctl ops call " +
        "creative-assets:getAsset shows how far their processing and moderation are. Exit code 3 if a row is not accepted.",
      examples: [
        ["adsctl plan rows plan-20261120-101500-1a2b3c4d.json --out verdicts.csv", "a verdict for each row"],
        ["adsctl plan rows plan.json --refused", "only rows that are not accepted"],
      ],
      library: "await (await plan.apply(profile)).rowVerdicts()",
    })
      .argument("<plan>", "the plan file, or the id of the plan")
      .option("--refused", "only rows that are not accepted"),
  async (file, { refused }, context) => {
    const plan = await readPlan(file, context);
    const { store } = await findPlan(file, context);
    const applied = await store.applied(plan.id);
    const name = visibleText(file);
    if (!plan.changes.some(({ after }) => "rows" in after || "file" in after)) {
      throw new ConfigurationError(
        `Cannot list rows: plan ${plan.id} uploads nothing. See adsctl plan show ${name}`,
      );
    }
    if (applied === undefined) {
      throw new ConfigurationError(
        `Cannot list rows: plan ${plan.id} has no result yet. Use adsctl plan apply ${name}, or after an ` +
          `interruption adsctl plan resume ${name}`,
      );
    }
    const results = applied.changes.map((change) => ({
      outcome: change.outcome,
      id: change.id,
      error: change,
    }));
    const verdicts = [...rowVerdicts(plan.changes, results)];
    const failed = verdicts.filter(({ verdict }) => verdict !== "accepted");
    const rows = (refused ? failed : verdicts).map(({ assetId, ...verdict }) =>
      verdict.file === undefined ? { ...verdict } : { ...verdict, asset_id: assetId }
    );
    const columns = verdicts.some(({ file }) => file !== undefined) ? FILE_COLUMNS : COLUMNS;
    await printRows(rows, { columns }, context);
    return failed.length === 0 ? EXIT.done : EXIT.someFailed;
  },
);
