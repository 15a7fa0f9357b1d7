import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";

/**
 * Result of one question: `one` is the result of SELECT 1, `code` the SQLSTATE or the system's code
 * of a failed connect.
 */
export type Asked = { readonly connected: boolean; readonly one: unknown; readonly code: string };

async function asked(config: pg.ClientConfig): Promise<Asked> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { connected: false, one: null, code };
  }
  try {
    const { rows } = await client.query<{ one: unknown }>("select 1 as one");
    return { connected: true, one: rows[0]?.one, code: "" };
  } catch {
    return { connected: true, one: null, code: "" };
  }
}

parentPort?.postMessage(await asked(workerData));
