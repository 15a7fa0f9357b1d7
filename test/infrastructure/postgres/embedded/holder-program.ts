import { z } from "zod";
import { startEmbeddedPostgres } from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { EmbeddedPostgresError } from "../../../../infrastructure/postgres/embedded/embedded-postgres-error.ts";

// A process that holds a DATA_DIR as the service does: says in one line what became of the
// start, ends at SIGTERM.
const optionsShape = z.object({
  dataDir: z.string(),
  fsync: z.boolean().exactOptional(),
  packageFolder: z.string().exactOptional(),
  templates: z.string().exactOptional(),
});

try {
  const server = await startEmbeddedPostgres(optionsShape.parse(JSON.parse(process.argv[2] ?? "")));
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
