import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/**
 * What one request is answered: an answer, a function that writes it, or "cut": the connection is closed
 * before anything is said.
 */
export type Step =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | ((response: ServerResponse) => void)
  | "cut";

export type ScriptedService = {
  readonly url: string;
  /** Every request, with the time in ms at which it came. */
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly at: number;
  }[];
  stop(): Promise<void>;
};

/** Answers over real HTTP by the script; whatever comes after its end gets its last step. */
export async function scriptedService(steps: readonly Step[]): Promise<ScriptedService> {
  const requests: { path: string; headers: IncomingMessage["headers"]; at: number }[] = [];
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)] ?? "cut";
    requests.push({ path: request.url ?? "", headers: request.headers, at: performance.now() });
    request.resume();
    request.on("end", () => play(step, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function play(step: Step, response: ServerResponse): void {
  if (step === "cut") response.destroy();
  else if (typeof step === "function") step(response);
  else {
    response.writeHead(step.status, { "Content-Type": "application/json", ...step.headers });
    response.end(JSON.stringify(step.body ?? {}));
  }
}
