import process from "node:process";
import fastify from "fastify";
import pg from "pg";

/**
 * The upper limit of the HTTP benchmarks as a separate program: Fastify and one statement by `pg`, without
 * guarantees. Connection settings come by message.
 */
type Order = { readonly connection: pg.ClientConfig; readonly select: Readonly<Record<string, string>> };

export const RAW_POOL = 20;

async function serve({ connection, select }: Order): Promise<string> {
  const pool = new pg.Pool({ ...connection, max: RAW_POOL });
  pool.on("error", () => undefined);
  await pool.query(
    "create table if not exists raw_calls (id bigint generated always as identity primary key, body json not null)",
  );
  const app = fastify();
  app.post("/raw", async (request) => {
    const { rows } = await pool.query({
      name: "insert",
      text: "insert into raw_calls (body) values ($1) returning id",
      values: [JSON.stringify(request.body)],
    });
    return { success: true, id: rows[0]?.id };
  });
  for (const [name, text] of Object.entries(select))
    app.get(`/raw/${name}`, async () => ({ success: true, data: (await pool.query({ name, text })).rows }));
  return app.listen({ host: "127.0.0.1", port: 0 });
}

process.once("message", (order: Order) => {
  serve(order).then(
    (url) => process.send?.({ url }),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => process.exit(0));
