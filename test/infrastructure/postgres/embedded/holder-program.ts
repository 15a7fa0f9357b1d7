import { z } from "zod";
import {
  type FirstContent,
  startEmbeddedPostgres,
} from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { EmbeddedPostgresError } from "../../../../infrastructure/postgres/embedded/embedded-postgres-error.ts";

// A process that holds a DATA_DIR as the service does: says in one line what became of the
// start, ends at SIGTERM.
const optionsShape = z.object({
  dataDir: z.string(),
  fsync: z.boolean().exactOptional(),
  packageFolder: z.string().exactOptional(),
  templates: z.string().exactOptional(),
  fillsForever: z.boolean().exactOptional(),
});
/** A template that is never filled. */
const endless: FirstContent = { key: () => "endless", make: () => new Promise(() => undefined) };

try {
  const { fillsForever, ...options } = optionsShape.parse(JSON.parse(process.argv[2] ?? ""));
  const server = await startEmbeddedPostgres({ ...options, ...(fillsForever && { content: endless }) });
  process.once("SIGTERM", async () => {
    await server.stop();
    process.exit(0);
  });
  console.log(JSON.stringify({ pid: server.pid, connection: server.connection }));
} catch (error) {
  const code = error instanceof EmbeddedPostgresError ? error.code : "unexpected";
  console.log(JSON.stringify({ code, message: String(error) }));
  process.exit(1);
}
