import { z } from "zod";
import type { ConnectionFinding } from "../../contract/connection-check.ts";
import type { GuardedFetch } from "../http/guarded-fetch.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";
import { requestHeaders } from "./request-headers.ts";
import { MANNER_WORDS, type MannersBook } from "./server-manners.ts";

export type CheckedModel = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly defaultModel: string;
  /** How its models want to be asked, as far as it is known. */
  readonly manners: ReturnType<MannersBook["all"]>;
};

const CHECK_MILLIS = 10_000;
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Asks for the list of models: the only question to these servers that costs nothing. */
export async function checkModel(
  { fetch }: Pick<GuardedFetch, "fetch">,
  { baseUrl, apiKey, defaultModel, manners }: CheckedModel,
): Promise<readonly ConnectionFinding[]> {
  const headers = requestHeaders(apiKey, "application/json");
  const signal = AbortSignal.timeout(CHECK_MILLIS);
  try {
    const answer = await fetch(`${baseUrl}/models`, { method: "GET", headers, body: null, signal });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return refusedFindings(answer.status);
    }
    const model = modelFinding(await answer.text(), defaultModel);
    return [reached(200), taken(), model, ...mannersFindings(manners)];
  } catch (error) {
    return [unreached(error, signal.aborted)];
  }
}

function refusedFindings(status: number): ConnectionFinding[] {
  if (status !== 401 && status !== 403) {
    const detail = `GET /models was answered with status ${status} in place of 200`;
    return [{ name: "reachable", ok: false, detail }];
  }
  const detail = `The server refuses the key (status ${status})`;
  return [reached(status), { name: "credentials", ok: false, detail }];
}

function reached(status: number): ConnectionFinding {
  return { name: "reachable", ok: true, detail: `GET /models was answered with status ${status}` };
}

function taken(): ConnectionFinding {
  return { name: "credentials", ok: true, detail: "The server takes the key, or wants none" };
}

function modelFinding(text: string, defaultModel: string): ConnectionFinding {
  const models = parsedModels(text);
  const name = "model";
  if (models === null) return { name, ok: false, detail: "The answer to GET /models is no list of models" };
  if (models.includes(defaultModel)) return { name, ok: true, detail: "The server has the default model" };
  return { name, ok: false, detail: `The default model is not among the ${models.length} of the server` };
}

/** Nothing is wrong with it, but the owner wants to know what is left out. */
function mannersFindings(found: CheckedModel["manners"]): ConnectionFinding[] {
  return found.map(({ model, manners }) => {
    const words = [...manners].map((manner) => MANNER_WORDS[manner]).join("; ");
    return {
      name: "parameters",
      ok: true,
      detail: `The server refused what others take; ${model} is asked with: ${words}`,
    };
  });
}

function parsedModels(text: string): readonly string[] | null {
  try {
    return modelList.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch {
    return null;
  }
}

function unreached(error: unknown, isLate: boolean): ConnectionFinding {
  if (error instanceof AddressNotAllowed)
    return { name: "address", ok: false, detail: "The server's name has an address that is not allowed" };
  const detail = isLate
    ? `The server did not answer within ${CHECK_MILLIS / 1_000} s`
    : "The server cannot be reached";
  return { name: "reachable", ok: false, detail };
}
