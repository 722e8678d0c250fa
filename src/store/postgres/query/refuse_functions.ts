import { QueryError } from "../../store_error.ts";

/**
 * Functions that read or write files, reach other sessions, servers or large objects, change the session, or run SQL
 * out of a text. A second line: what holds a query is the role that it runs as.
 */
const REFUSED =
  /^(?:pg_(?:read_\w*file|\w*advisory\w*|stat_reset\w*|log_\w+|ls_\w+|stat_file|current_logfile|file_\w+|terminate_backend|cancel_backend|reload_conf|rotate_logfile|switch_wal|promote|wal_replay_\w+|backup_\w+|start_backup|stop_backup|create_\w+|drop_\w+|copy_\w+|logical_\w+|replication_\w+|export_snapshot|notify|import_system_collations|execute_server_program)|set_config|lo_\w+|loread|lowrite|dblink\w*|postgres_fdw_\w+|(?:query|cursor|table|schema|database)_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|xpath_table|connectby|normal_rand)$/i;

/** Parts of SQL that may name a function: words and quoted names. Texts and comments are skipped. */
const PARTS = new RegExp(
  [
    String.raw`--[^\n\r]*`,
    String.raw`/\*[^]*?\*/`,
    String.raw`\$([A-Za-z_\u0080-\uffff]\w*)?\$[^]*?\$\1\$`,
    String.raw`[uU]&"`,
    // Its escapes hold in the pieces that continue it as well.
    String.raw`[eE]'(?:[^'\\]|''|\\[^])*'(?:(?:\s|--[^\n\r]*)+'(?:[^'\\]|''|\\[^])*')*`,
    String.raw`'(?:[^']|'')*'`,
    String.raw`"((?:[^"]|"")*)"`,
    String.raw`([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
  ].join("|"),
  "g",
);

/**
 * Refuses a statement that names a function which a query must not call, whatever the role of its connection may do.
 *
 * @throws {QueryError} that names the function.
 */
export function refuseFunctions(sql: string): void {
  for (const [part, , quoted, word] of sql.matchAll(PARTS)) {
    if (part.startsWith("/*") && part.includes("/*", 2)) {
      throw new QueryError("Cannot run the query: comments inside of comments are not allowed");
    }
    if (/^u&"/i.test(part)) {
      throw new QueryError("Cannot run the query: names with Unicode escapes are not allowed");
    }
    const name = quoted ?? word;
    if (name !== undefined && REFUSED.test(name)) {
      throw new QueryError(`Cannot run the query: it may not call ${name}`);
    }
  }
}
