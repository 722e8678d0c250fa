/** A mistake that shows only when processes die, stand still or meet: planted to see whether simulation finds it. */
export interface Race {
  /** Words for reports. */
  readonly name: string;
  /** Scenario of tests/simulation that is to find it. */
  readonly scenario: string;
  /** Source that is changed. */
  readonly path: string;
  /** Text that stands there once, and what takes its place. */
  readonly from: string;
  readonly to: string;
  /** Further changes that belong to it. */
  readonly also?: readonly Pick<Race, "path" | "from" | "to">[];
}

/** The first four are mistakes that once were in the code and were found late, under load. */
export const RACES: readonly Race[] = [
  {
    name: "a lock is taken from a sleeper who appends later",
    scenario: "limits",
    path: "src/plans/policy/folder_ledger.ts",
    from: "return (await files.readText(path)).startsWith(after + text);",
    to: "return true;",
  },
  {
    name: "the pace grows while nothing waits, without a bound",
    scenario: "pace",
    path: "src/platform/transport/pacer/pace_store.ts",
    from: "    if (contended) grow(lane, now, lane.rate);",
    to: "    lane.rate = lane.base = lane.rate / (1 + (now - lane.startedAt) / 100);",
  },
  {
    name: "figures asked for later are dropped when a clock was ahead",
    scenario: "sync",
    path: "src/store/sync/store_report.ts",
    from: "  const madeAt = report.madeAt ?? entry.askedAt;",
    to: "  const madeAt = new Date(options.now()).toISOString();",
  },
  {
    name: "a place is not given back by the last request of a process",
    scenario: "pace",
    path: "src/platform/transport/pacer/lane.ts",
    from: "  else delete lane.holders[id];\n",
    to: "",
  },
  {
    name: "requests leave before the journal announces them",
    scenario: "plans",
    path: "src/plans/apply/apply_journal.ts",
    from: '    await this.#append(this.#line({ event: "sending", changes, ...known }));\n',
    to: '    void this.#append(this.#line({ event: "sending", changes, ...known }));\n',
  },
  {
    name: "a journal is discarded by a program that stood still while another took it over",
    scenario: "plans",
    path: "src/plans/apply/journal_reading.ts",
    from: 'line?.event === "discarded" && line.attempt === open?.writer',
    to: 'line?.event === "discarded"',
  },
  {
    name: "a line that was cut short is counted as written",
    scenario: "plans",
    path: "src/plans/apply/apply_journal.ts",
    from: '    this.#cutShort = !rest.endsWith("\\n");\n',
    to: "",
  },
  {
    name: "resuming does not wait for what is under way",
    scenario: "plans",
    path: "src/plans/change_plan/resume_sending.ts",
    from: "  if (left > 0 && !lookOnly) await letItArrive(left, client, options);\n",
    to: "",
  },
  {
    name: "a program that was frozen sends although another has taken over",
    scenario: "plans",
    path: "src/plans/apply/apply_journal.ts",
    from: "    return await this.file.size() === this.#length;",
    to: "    return await this.file.size() >= this.#length;",
  },
  {
    name: "an entity that was there before counts as created",
    scenario: "plans",
    path: "src/plans/change_plan/resume_sending.ts",
    from: "!lookalikes.includes(id) && !taken.has(id)",
    to: "!taken.has(id)",
  },
  {
    name: "a create whose response is lost is sent again",
    scenario: "plans",
    path: "src/platform/transport/response_reader.ts",
    from: 'lost.mayHaveActed ? "no-response" : "not-sent"',
    to: '"not-sent"',
  },
  {
    name: "a file is written over in place",
    scenario: "plans",
    path: "src/base/runtime/file_system.ts",
    from: "      const temporary = `${path}.${crypto.randomUUID().slice(0, 13)}.tmp`;",
    to: "      await files.rm(path, { force: true });\n      const temporary = path;",
  },
  {
    name: "the lock of a process that died is never taken over",
    scenario: "limits",
    path: "src/base/runtime/file_lock.ts",
    from: "now - seen.since > lease",
    to: "now - seen.since > 100 * lease",
  },
  {
    name: "a line that a full disk cut short stays in the ledger",
    scenario: "limits",
    path: "src/plans/policy/folder_ledger.ts",
    from: "      await files.truncate(path, length);\n",
    to: "",
  },
  {
    name: "a transaction is committed before its rows are whole",
    scenario: "sync",
    path: "src/store/sqlite/transactions.ts",
    from: "      const result = await work();\n      this.#commit.run();\n",
    to:
      "      const working = work();\n      await new Promise((later) => setTimeout(later, 1));\n      if (this.#database.isTransaction) this.#commit.run();\n      this.#begin.run();\n      const result = await working;\n      this.#commit.run();\n",
  },
  {
    name: "a program that woke writes its result over that of the one which finished the plan",
    scenario: "plans",
    path: "src/plans/store/write_result.ts",
    from: "  if (result.takenOver) {\n",
    to: "  if (result.takenOver && notWritten.length > 0) {\n",
  },
  {
    name: "figures of an older report are taken for those of now",
    scenario: "sync",
    path: "src/store/sync/sync_store.ts",
    from: '    if (one.newer === undefined || outcome.state !== "stored") return [outcome];\n',
    to: "    if (one.newer !== null) return [outcome];\n",
  },
  {
    name: "an archive that was cut off stays unknown",
    scenario: "rollouts",
    path: "src/plans/change_plan/resume_sending.ts",
    from: '  if (op === "archive" || holds(now, before, Object.keys(after)))',
    to: "  if (holds(now, before, Object.keys(after)))",
  },
  {
    name: "what an undo did not know to be done is in no plan that goes on with it",
    scenario: "rollouts",
    path: "src/plans/store/undo_chain.ts",
    from: '      outcome === "unknown" && op !== "call";',
    to: "      false;",
  },
  {
    name: "two services do the work of one timer at the same time",
    scenario: "service",
    path: "src/automation/service/model/service_state.ts",
    from: "    return await this.#session.alone(`${profileId} ${timer}`, work);",
    to: "    return { result: await work() };",
  },
  {
    name: "a job is deleted by an attempt that does not hold it any more",
    scenario: "queue",
    path: "src/store/queue/end_job.ts",
    from: "      if (ended === undefined) {",
    to: "      if (ended === undefined && attempt < 0) {",
  },
  {
    name:
      "a rollout stands still: whoever lost its plan to another ends the other's job, and nobody puts it back",
    scenario: "queue_rollouts",
    path: "src/automation/worker/rollout_table.ts",
    from: '      if (row?.["overtaken"] === true) throw overtaken(planId);\n',
    to: "",
    also: [
      {
        path: "src/automation/worker/rollout_table.ts",
        from: "    const stuck = await stuckPlans(this.#database.sql);\n",
        to: "    const stuck: SqlRow[] = [];\n",
      },
      {
        path: "src/automation/worker/plan_task.ts",
        from: "    await this.#table.end(this.#planId, this.#attempt, outcome);\n",
        to:
          "    try {\n      await this.#table.end(this.#planId, this.#attempt, outcome);\n    } catch (error) {\n" +
          '      if (error instanceof LeaseLostError) return this.#told("taken_over");\n      throw error;\n    }\n',
      },
      {
        path: "src/automation/worker/plan_task.ts",
        from: "    if (this.#lost.aborted || error instanceof LeaseLostError) throw error;\n",
        to:
          "    if (error instanceof LeaseLostError) return true;\n    if (this.#lost.aborted) throw error;\n",
      },
      {
        path: "src/store/queue/end_job.ts",
        from: "      if (ended === undefined) {",
        to: "      if (ended === undefined && attempt < 0) {",
      },
    ],
  },
  {
    name: "a share of the day that a dead attempt at a plan had reserved stays taken",
    scenario: "queue_rollouts",
    path: "src/plans/state/ledger_lines.ts",
    from: "  return resumes || exclusive && last?.exclusive === true ? last : undefined;\n",
    to: "  return resumes ? last : undefined;\n",
  },
  {
    name: "the verdict on a plan is written by an attempt that does not hold it any more",
    scenario: "queue_rollouts",
    path: "src/automation/worker/rollout_table.ts",
    from: "      if (held.length === 0) throw overtaken(planId);\n",
    to: "",
  },
  {
    name: "the journal of a plan is written by an attempt that does not hold it any more",
    scenario: "queue_rollouts",
    path: "src/automation/worker/plan_task.ts",
    from: "new QueueJournal(parts.driver.database.sql, planId, this.#attempt.workerId)",
    to: "new QueueJournal(parts.driver.database.sql, planId)",
  },
  {
    name: "a plan that is put back while its worker drains gets no job",
    scenario: "queue_rollouts",
    path: "src/automation/worker/rollout_table.ts",
    from: "    await this.#owned(planId, workerId, async (sql) => {\n      await addJobs(",
    to: '    await this.#owned(planId, workerId, async (sql) => {\n      if (planId === "") await addJobs(',
    also: [{
      path: "src/automation/worker/rollout_table.ts",
      from: "    const stuck = await stuckPlans(this.#database.sql);\n",
      to: "    const stuck: SqlRow[] = [];\n",
    }],
  },
  {
    name: "a rollout is taken back by a program that stood still while it was put on the queue anew",
    scenario: "queue_rollouts",
    path: "src/automation/worker/rollout_queue.ts",
    from: "takeBack(store, planId, { attempt, journal });",
    to: "takeBack(store, planId, { attempt: (await leftToQueue(store, planId))?.attempt, journal });",
  },
  {
    name: "messages are deleted before they are stored",
    scenario: "stream",
    path: "src/store/stream/consume_stream.ts",
    from: "      const written = isEmpty ?",
    to: "      await delivery.acknowledge();\n      const written = isEmpty ?",
  },
  {
    name: "an alert counts as sent before it is",
    scenario: "watch",
    path: "src/automation/watch/deliver_alerts.ts",
    from: "    const channel = channels.find(({ name }) => name === waiting.channel);\n",
    to:
      "    await state.delivered(waiting, now);\n    const channel = channels.find(({ name }) => name === waiting.channel);\n",
  },
  {
    name: "a look that was killed while it sent makes a second plan",
    scenario: "watch",
    path: "src/automation/watch/complete_alerts.ts",
    from: "    await parts.state.complete({ ...alert, planId: part.id }, { isComplete: false });\n",
    to: "    void alert;\n",
  },
  {
    name: "an alert is written behind a line that was cut short",
    scenario: "watch",
    path: "src/base/runtime/file_system.ts",
    from: "      const isCut = await endsWithin(files, path).catch(() => false);\n",
    to: "      const isCut = await Promise.resolve(false);\n",
  },
  {
    name: "the tool server counts a day of its own",
    scenario: "desk",
    path: "src/interfaces/mcp/context/settings.ts",
    from: 'demo ? "demo-policy-days" : "policy-days"',
    to: 'demo ? "demo-policy-days" : "days-of-agents"',
  },
  {
    name: "two programs begin one plan",
    scenario: "desk",
    path: "src/base/runtime/file_system.ts",
    from: '        handle = await files.open(path, "wx", options.mode ?? 0o644);\n',
    to: '        handle = await files.open(path, "w", options.mode ?? 0o644);\n',
  },
  {
    name: "a list that was read before others stored theirs takes their place",
    scenario: "entities",
    path: "src/store/model/entity_pull.ts",
    from: "  if (since === undefined || since === (last",
    to: "  if (since === undefined || since > 0 || since === (last",
  },
];
