import type { FakeAnswer } from "./fake-answer.ts";
import type { AskedModel } from "./fake-model-server.ts";

/** The forms in which real servers name what they refuse. */
type Words = (field: string) => { readonly status: number; readonly body: unknown };

export const REFUSALS = {
  openai: (field) => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported parameter: '${field}' is not supported with this model.`,
        type: "invalid_request_error",
        param: field,
        code: "unsupported_parameter",
      },
    },
  }),
  fastapi: (field) => ({
    status: 422,
    body: {
      detail: [{ type: "extra_forbidden", loc: ["body", field], msg: "Extra inputs are not permitted" }],
    },
  }),
  sentence: (field) => ({ status: 400, body: { error: `model does not support ${field}` } }),
  message: (field) => ({
    status: 400,
    body: { object: "error", message: `Unknown field: ${field}`, code: 400 },
  }),
} as const satisfies Readonly<Record<string, Words>>;

export type PickyServer = {
  /** Fields of the request that it refuses. */
  readonly refuses?: readonly string[];
  readonly words?: Words;
  /** As the templates of many open models do. */
  readonly rolesTakeTurns?: boolean;
  readonly noSystemRole?: boolean;
};

/** A server that refuses parts of requests as real ones do, one after another, and else gives this answer. */
export function pickyServer(
  { refuses = [], words = REFUSALS.openai, rolesTakeTurns = false, noSystemRole = false }: PickyServer,
  answer: FakeAnswer,
): (asked: Pick<AskedModel, "body">) => FakeAnswer {
  return ({ body }) => {
    const field = refuses.find((each) => body !== null && each in body);
    if (field !== undefined) return refusal(words(field));
    const roles = rolesOf(body);
    if (noSystemRole && roles.includes("system"))
      return refusal({ status: 400, body: { error: { message: "System role not supported" } } });
    if (rolesTakeTurns && !takeTurns(roles)) return refusal(TURNS);
    return answer;
  };
}

const TURNS = {
  status: 400,
  body: {
    error: {
      message:
        "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
      type: "BadRequestError",
      code: 400,
    },
  },
};

function refusal({ status, body }: ReturnType<Words>): FakeAnswer {
  return { kind: "status", status, body: JSON.stringify(body) };
}

function rolesOf(body: AskedModel["body"]): readonly string[] {
  const messages = body?.["messages"];
  return Array.isArray(messages) ? messages.map(({ role }: { role: string }) => role) : [];
}

/** A call and its results belong to the assistant's turn. */
function takeTurns(roles: readonly string[]): boolean {
  const spoken = roles.filter((role) => role !== "system" && role !== "tool");
  const afterTool = roles.some((role, place) => role === "user" && roles[place - 1] === "tool");
  const turns = spoken.filter((role, place) => (roles.includes("tool") ? role !== spoken[place - 1] : true));
  return (
    !afterTool &&
    spoken.at(0) === "user" &&
    turns.every((role, place) => role === (place % 2 === 0 ? "user" : "assistant"))
  );
}
