import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./api-user.ts";

/** What a call needs. */
export async function callable(user: ApiUser) {
  const assistant = await made(user, "/api/v1/assistants", {
    name: "Ada",
    greetingMessage: "Hello, this is Ada.",
    systemPrompt: "Be kind.",
  });
  await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
  const number = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
  return { assistantId: String(assistant.id), phoneNumberId: String(number.id) };
}

export type Callable = Awaited<ReturnType<typeof callable>>;

/** `data` of a POST that answers 201. */
export async function made(user: ApiUser, path: string, body: unknown): Promise<Wire> {
  const answer = await user.send("POST", path, { body });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
  return answer.body.data;
}

export function campaignBody(ready: Callable, changes: Readonly<Record<string, unknown>> = {}) {
  return { name: "A campaign", ...ready, contacts: [{ phoneNumber: "+15005550006" }], ...changes };
}

export async function endedCall(user: ApiUser, callId: string): Promise<Wire> {
  return eventually("the call's end", async () => {
    const { body } = await user.send("GET", `/api/v1/calls/${callId}`);
    return body.data.endedAt === null ? null : body.data;
  });
}
