import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type LanguageModel,
  ModelFailure,
  type ModelLimits,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ModelTool,
} from "../../../application/ports/language-model.ts";

/** A model that says something to `TALK`, and calls `check_order` with the number to `ORDER`. */
export type ModelUnderTest = {
  readonly model: LanguageModel;
  /** What the end part names when a request names none. */
  readonly name: string;
  close(): Promise<void>;
};

export const TALK = "Hello, who is calling please?";
export const ORDER = "Can you check my order 4711?";

export const CHECK_ORDER: ModelTool = {
  name: "check_order",
  description: "Looks up where an order is",
  parameters: {
    type: "object",
    properties: { orderId: { type: "string" } },
    required: ["orderId"],
    additionalProperties: false,
  },
};

/** Far beyond what an answer needs on any machine: only what hangs may meet them. */
export function patientLimits(signal = new AbortController().signal): ModelLimits {
  return { signal, firstPartMillis: 60_000, stallMillis: 60_000 };
}

export function asks(text: string, rest: Partial<ModelRequest> = {}): ModelRequest {
  const messages: ModelMessage[] = [
    { role: "system", content: "You are a friendly clerk of a shop." },
    { role: "assistant", content: "Good day, how can I help you?" },
    { role: "user", content: text },
  ];
  return { messages, tools: [], model: null, temperature: null, maxTokens: 400, ...rest };
}

export async function partsOf(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const all: ModelPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

export async function failureOf(parts: AsyncIterable<ModelPart>): Promise<ModelFailure> {
  try {
    await partsOf(parts);
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
  throw new Error("the answer did not fail");
}

/** What every LanguageModel keeps (application/ports/language-model.ts). */
export function languageModelContract(name: string, open: () => Promise<ModelUnderTest>): void {
  describe(`LanguageModel: ${name}`, () => {
    let under: ModelUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    it("says something in parts, then ends once, with its name", async () => {
      const parts = await partsOf(under.model.respond(asks(TALK), patientLimits()));
      expect(parts.filter(({ kind }) => kind === "text").length).toBeGreaterThan(1);
      expect(parts.findIndex(({ kind }) => kind === "end")).toBe(parts.length - 1);
      expect(parts.at(-1)).toMatchObject({ kind: "end", reason: "stop", model: under.name });
    });

    it("counts tokens, or says that it does not know", async () => {
      const end = (await partsOf(under.model.respond(asks(TALK), patientLimits()))).at(-1);
      if (end?.kind !== "end") throw new Error("no end");
      expect(end.inputTokens === null || end.inputTokens > 0).toBe(true);
      expect(end.outputTokens === null || end.outputTokens > 0).toBe(true);
    });

    it("gives a tool call whole, before the end", async () => {
      const request = asks(ORDER, { tools: [CHECK_ORDER] });
      const parts = await partsOf(under.model.respond(request, patientLimits()));
      const calls = parts.flatMap((part) => (part.kind === "tool_call" ? [part.call] : []));
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ id: expect.stringMatching(/./), name: "check_order" });
      expect(JSON.parse(calls[0]?.arguments ?? "")).toEqual({ orderId: "4711" });
      expect(parts.at(-1)).toMatchObject({ kind: "end", reason: "tool_calls" });
    });

    it("takes a history with a tool call and its answer", async () => {
      const call = { id: "1", name: "check_order", arguments: '{"orderId":"4711"}' };
      const { messages } = asks(ORDER);
      const history: ModelMessage[] = [
        ...messages,
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", toolCallId: "1", content: '200\n{"state":"shipped"}' },
      ];
      const parts = await partsOf(
        under.model.respond(asks("", { messages: history, tools: [CHECK_ORDER] }), patientLimits()),
      );
      expect(parts.at(-1)).toMatchObject({ kind: "end", reason: "stop" });
    });

    it("ends with `length` when there is more to say than it may", async () => {
      const parts = await partsOf(under.model.respond(asks(TALK, { maxTokens: 2 }), patientLimits()));
      expect(parts.at(-1)).toMatchObject({ kind: "end", reason: "length" });
    });

    it("is aborted before it begins", async () => {
      const failure = await failureOf(under.model.respond(asks(TALK), patientLimits(AbortSignal.abort())));
      expect(failure.kind).toBe("aborted");
    });

    it("is aborted in the middle, and says nothing more", async () => {
      const aborting = new AbortController();
      const parts = under.model.respond(asks(TALK), patientLimits(aborting.signal))[Symbol.asyncIterator]();
      expect((await parts.next()).value).toMatchObject({ kind: "text" });
      aborting.abort();
      await expect(parts.next()).rejects.toMatchObject({ kind: "aborted" });
      expect(await parts.next()).toEqual({ done: true, value: undefined });
    });

    it("can be left in the middle", async () => {
      for await (const part of under.model.respond(asks(TALK), patientLimits())) {
        expect(part.kind).toBe("text");
        break;
      }
    });

    it("answers many at once", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => partsOf(under.model.respond(asks(TALK), patientLimits()))),
      );
      expect(answers.filter((parts) => parts.at(-1)?.kind === "end")).toHaveLength(20);
    });
  });
}
