import type pg from "pg";

/**
 * All rows of log, read models, work and configuration of a database as text: one line for each table in
 * which `mark` occurs, beginning with the table's name.
 */
export async function tablesWith(pool: pg.Pool, mark: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('log', 'read', 'work', 'config') and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: texts } = await pool.query<{ text: string }>(
      `select coalesce(string_agg(coalesce(row_to_json(t)::text, '') || coalesce(t::text, ''), ' '), '') as text
       from ${name} t`,
    );
    if (texts[0]?.text.includes(mark)) found.push(name);
  }
  return found;
}
