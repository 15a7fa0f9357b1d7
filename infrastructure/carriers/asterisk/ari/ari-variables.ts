import type { AriAnswer, AriClient } from "./ari-client.ts";
import { variableSchema } from "./ari-schemas.ts";

/** A global variable of the dialplan: "" if it is not set, null if it cannot be read. */
export async function readVariable(
  ari: Pick<AriClient, "request">,
  variable: string,
): Promise<string | null> {
  return variableOf(await ari.request({ method: "GET", path: "/asterisk/variable", query: { variable } }));
}

/** False: it may not have been set. */
export async function setVariable(
  ari: Pick<AriClient, "request">,
  variable: string,
  value: string,
): Promise<boolean> {
  const answer = await ari.request({
    method: "POST",
    path: "/asterisk/variable",
    query: { variable, value },
  });
  return answer.kind === "answered" && answer.status < 300;
}

/** A variable of a channel, or a function (`DIALPLAN_EXISTS(…)`). */
export async function readChannelVariable(
  ari: Pick<AriClient, "request">,
  channelId: string,
  variable: string,
): Promise<string | null> {
  const path = `/channels/${encodeURIComponent(channelId)}/variable`;
  return variableOf(await ari.request({ method: "GET", path, query: { variable } }));
}

function variableOf(answer: AriAnswer): string | null {
  if (answer.kind === "failed") return null;
  if (answer.status === 404) return "";
  const read = variableSchema.safeParse(answer.body);
  return answer.status === 200 && read.success ? read.data.value : null;
}
