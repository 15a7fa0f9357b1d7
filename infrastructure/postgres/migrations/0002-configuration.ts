import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Ids sort by creation only with byte order, whatever the database's collation. */
const id = sql`text collate "C"`;

/** Assistants, numbers, tools, secrets, suppressions, keys and users. */
export const configuration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createSchema("config").ifNotExists().execute();
    const schema = db.withSchema("config").schema;
    await schema
      .createTable("users")
      .addColumn("id", id, (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("max_concurrent_calls", "integer", (column) => column.notNull())
      .addColumn("max_calls_per_second", "double precision", (column) => column.notNull())
      .addColumn("active", "boolean", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .execute();
    await schema
      .createTable("api_keys")
      .addColumn("id", id, (column) => column.primaryKey())
      .addColumn("owner_id", id, (column) => column.notNull().references("config.users.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("scopes", sql`text[]`, (column) => column.notNull())
      .addColumn("lookup", id, (column) => column.notNull().unique())
      .addColumn("secret_hash", "bytea", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz")
      .addColumn("last_used_at", "timestamptz")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("revoked_at", "timestamptz")
      .execute();
    await sql`create index api_keys_of_owner on config.api_keys (owner_id, id)`.execute(db);
    await createAssistants(db);
    await schema
      .createTable("phone_numbers")
      .addColumn("id", id, (column) => column.primaryKey())
      .addColumn("owner_id", id, (column) => column.notNull())
      .addColumn("phone_number", "text", (column) => column.notNull())
      .addColumn("label", "text")
      .addColumn("active", "boolean", (column) => column.notNull())
      .addColumn("carrier", "text")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .execute();
    await sql`create index phone_numbers_of_owner on config.phone_numbers (owner_id, id)`.execute(db);
    await schema
      .createTable("tools")
      .addColumn("id", id, (column) => column.primaryKey())
      .addColumn("owner_id", id, (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("description", "text", (column) => column.notNull())
      .addColumn("config", "json", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .execute();
    await sql`create index tools_of_owner on config.tools (owner_id, id)`.execute(db);
    await createSecretsAndSuppressions(db);
  },
};

async function createAssistants(db: Kysely<unknown>): Promise<void> {
  const draft = sql.raw(`
    name text not null,
    greeting_message text not null,
    system_prompt text not null,
    model text,
    temperature double precision,
    voice text,
    language text,
    tool_ids text[] not null,
    max_duration_seconds integer not null,
    voicemail_policy text not null,
    voicemail_message text`);
  await sql`
    create table config.assistants (
      id text collate "C" primary key,
      owner_id text collate "C" not null,
      ${draft},
      published_version integer,
      versions integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index assistants_of_owner on config.assistants (owner_id, id)`.execute(db);
  await sql`
    create table config.assistant_versions (
      assistant_id text collate "C" not null references config.assistants (id) on delete cascade,
      version integer not null,
      ${draft},
      published_at timestamptz not null,
      primary key (assistant_id, version)
    )`.execute(db);
}

async function createSecretsAndSuppressions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table config.secrets (
      owner_id text collate "C" not null,
      name text collate "C" not null,
      sealed bytea not null,
      updated_at timestamptz not null,
      primary key (owner_id, name)
    )`.execute(db);
  await sql`
    create table config.suppressions (
      owner_id text collate "C" not null,
      phone_number text collate "C" not null,
      reason text,
      sequence bigint generated always as identity,
      created_at timestamptz not null,
      primary key (owner_id, phone_number)
    )`.execute(db);
  await sql`create index suppressions_of_owner on config.suppressions (owner_id, sequence)`.execute(db);
}
