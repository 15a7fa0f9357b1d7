import type { EmbeddedFolders } from "./folders.ts";
import type { Connection } from "./owner-file.ts";

export type ServerSettings = Readonly<Record<string, string>>;

/** Part of the socket's file name only; nothing listens on TCP except on Windows. */
export const socketPort = 5432;

/** Of a server that makes a template: another file, which it may remove late after its process was killed. */
export const templatePort = 5433;

/** What it leaves is small: a page of the write-ahead log, and none made ahead. */
export const templateSettings: ServerSettings = {
  wal_recycle: "off",
  wal_init_zero: "off",
  autovacuum: "off",
};

const basics: ServerSettings = {
  max_connections: "50",
  jit: "off",
  idle_in_transaction_session_timeout: "60s",
  // Tables that grow with every call are looked at when they have grown by half, not by a tenth, and of their
  // rows 6,000, not 30,000: our statements find rows by keys. By default this took longer than all vacuums.
  autovacuum_analyze_scale_factor: "0.5",
  default_statistics_target: "20",
  // What calls need is in memory: by default whole tables of some thousand rows were read for a few keys.
  random_page_cost: "1.1",
  TimeZone: "UTC",
  log_timezone: "UTC",
  logging_collector: "off",
  log_destination: "stderr",
  log_checkpoints: "off",
  // Messages of level ERROR and statements contain values, which may be personal data:
  // neither may reach a log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
};

/** Arguments of `postgres`; `settings` override ours, except for the server's address. */
export function serverArguments(
  folders: EmbeddedFolders,
  connection: Connection,
  settings: ServerSettings,
  fsync: boolean,
): string[] {
  const durable = fsync ? "on" : "off";
  const all = {
    ...basics,
    fsync: durable,
    // Also without fsync: acknowledged commits survive a killed server, though not a power failure.
    synchronous_commit: "on",
    full_page_writes: durable,
    ...settings,
    ...whereToListen(folders, connection),
  };
  return [
    "-D",
    folders.cluster,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function whereToListen(folders: EmbeddedFolders, connection: Connection): ServerSettings {
  if (connection.password !== undefined) {
    return { listen_addresses: connection.host, port: String(connection.port), unix_socket_directories: "" };
  }
  return {
    listen_addresses: "",
    port: String(connection.port),
    // A list: quoted, because the path may contain a comma or a space.
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
  };
}
