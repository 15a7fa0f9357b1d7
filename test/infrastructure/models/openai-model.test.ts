import { afterEach, describe, expect, it } from "vitest";
import {
  ModelFailure,
  type ModelFailureKind,
  type ModelLimits,
} from "../../../application/ports/language-model.ts";
import { mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import { readChunk } from "../../../infrastructure/models/openai/chat-chunk.ts";
import { gatheredAnswer } from "../../../infrastructure/models/openai/gathered-answer.ts";
import { openAiModel } from "../../../infrastructure/models/openai/openai-model.ts";
import {
  asks,
  failureOf,
  partsOf,
  patientLimits,
  TALK,
} from "../../contracts/language-model/language-model-contract.ts";
import { costsMore, processorMillis } from "../../support/doors/processor.ts";
import {
  callsInPieces,
  callsOddly,
  type FakeAnswer,
  type FakeMode,
  MODES,
  speaks,
  speaksWithoutUsage,
} from "../../support/models/fake-answer.ts";
import { KEY, type OpenAiOverFake, openAiOverFake } from "../../support/models/openai-over-fake.ts";

const open: OpenAiOverFake[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function over(...args: Parameters<typeof openAiOverFake>): Promise<OpenAiOverFake> {
  const made = await openAiOverFake(...args);
  open.push(made);
  return made;
}

const always = (answer: FakeAnswer) => over(() => answer);

/** So short that a server that says nothing is given up at once. */
const hasty = (limits: Partial<ModelLimits>): ModelLimits => ({ ...patientLimits(), ...limits });

const FAILURES: readonly (readonly [FakeMode, ModelFailureKind])[] = [
  ["ends_early", "cut_off"],
  ["death", "cut_off"],
  ["error_chunk", "unavailable"],
  ["throttled_chunk", "throttled"],
  ["refused_chunk", "refused"],
  ["garbage", "garbage"],
  ["foreign_json", "cut_off"],
  ["only_foreign_json", "garbage"],
  ["foreign_value", "garbage"],
  ["page", "garbage"],
  ["whole_answer", "garbage"],
  ["too_long", "garbage"],
  ["redirect", "refused"],
];

describe("a server that goes wrong", () => {
  it.each(FAILURES)("%s is told as %s, in words of ours", async (mode, kind) => {
    const { model } = await always(MODES[mode]);
    const failure = await failureOf(model.respond(asks(TALK), patientLimits()));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain("sk-");
  });

  it.each([
    [400, "refused"],
    [401, "refused"],
    [403, "refused"],
    [404, "refused"],
    [408, "unavailable"],
    [500, "unavailable"],
    [503, "unavailable"],
  ] as const)("status %i is told as %s, asked once", async (status, kind) => {
    const { model, server } = await always({ kind: "status", status });
    const failure = await failureOf(model.respond(asks(TALK), patientLimits()));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain("sk-");
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "2", "retry-after-ms": "1500" }, 1_500],
    [{ "retry-after": "Wed, 01 Jan 2020 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("429 with %o is throttled for that long", async (headers, millis) => {
    const { model } = await always({ kind: "status", status: 429, headers });
    const failure = await failureOf(model.respond(asks(TALK), patientLimits()));
    expect([failure.kind, failure.retryAfterMillis]).toEqual(["throttled", millis]);
  });

  it("a quota that is used up is no throttling: asked again it would be the same", async () => {
    const body = JSON.stringify({ error: { message: "pay", code: "insufficient_quota" } });
    const { model } = await always({ kind: "status", status: 429, body });
    expect((await failureOf(model.respond(asks(TALK), patientLimits()))).kind).toBe("refused");
  });

  it("one that is not there is unavailable", async () => {
    const { model, server } = await always(speaks(["Hello"]));
    await server.close();
    expect((await failureOf(model.respond(asks(TALK), patientLimits()))).kind).toBe("unavailable");
  });
});

describe("patience", () => {
  it("ends with a stall in the middle, and the request is closed", async () => {
    const { model, server } = await always(MODES.stall);
    const failure = await failureOf(model.respond(asks(TALK), hasty({ stallMillis: 50 })));
    expect(failure.kind).toBe("stalled");
    await server.asked[0]?.leftByClient;
  });

  it("ends when the first part is late; the frame of an answer is no part", async () => {
    const { model, server } = await always(MODES.silent);
    const failure = await failureOf(model.respond(asks(TALK), hasty({ firstPartMillis: 100 })));
    expect(failure.kind).toBe("first_part_late");
    await server.asked[0]?.leftByClient;
  });

  it("does not count a slow beginning as a stall", async () => {
    const slow = { ...speaks(["Hello"]), pauseMillis: 300 } as FakeAnswer;
    const { model } = await always(slow);
    const parts = await partsOf(model.respond(asks(TALK), hasty({ stallMillis: 5_000 })));
    expect(parts.at(-1)).toMatchObject({ reason: "stop" });
  });

  it.each(["stall_after_finish", "death_after_finish"] as const)(
    "%s is an end without figures: everything was said",
    async (mode) => {
      const { model } = await always(MODES[mode]);
      const parts = await partsOf(model.respond(asks(TALK), hasty({ stallMillis: 50 })));
      expect(parts.at(-1)).toMatchObject({ reason: "stop", inputTokens: null, outputTokens: null });
    },
  );

  it("does not run while nobody reads: a slow reader is no stall", async () => {
    const { model } = await always(speaks(["One ", "two ", "three"]));
    const parts = model.respond(asks(TALK), hasty({ stallMillis: 1_000 }))[Symbol.asyncIterator]();
    await parts.next();
    await new Promise((done) => setTimeout(done, 1_500));
    expect((await parts.next()).value).toMatchObject({ kind: "text" });
  });

  it("an abort reaches the server, also before its first word", async () => {
    const aborting = new AbortController();
    const { model, server } = await over(() => {
      aborting.abort();
      return MODES.silent;
    });
    const failure = await failureOf(model.respond(asks(TALK), patientLimits(aborting.signal)));
    expect(failure.kind).toBe("aborted");
    await server.asked[0]?.leftByClient;
  });

  it("leaving in the middle closes the request", async () => {
    const { model, server } = await always(MODES.stall);
    for await (const _part of model.respond(asks(TALK), patientLimits())) break;
    await server.asked[0]?.leftByClient;
  });

  it("an abort before the beginning asks nobody", async () => {
    const { model, server } = await always(speaks(["Hello"]));
    await failureOf(model.respond(asks(TALK), patientLimits(AbortSignal.abort())));
    expect(server.asked).toEqual([]);
  });
});

describe("an answer", () => {
  it("has the reasons length and content_filter, which are no failures", async () => {
    for (const reason of ["length", "content_filter"] as const) {
      const { model } = await always(speaks(["Hello ", "there"], reason));
      const parts = await partsOf(model.respond(asks(TALK), patientLimits()));
      expect(parts.at(-1)).toMatchObject({ kind: "end", reason });
    }
  });

  it("has the figures of the server, null without any", async () => {
    const { model } = await over((_asked, count) =>
      count === 1 ? speaks(["Hi"]) : speaksWithoutUsage(["Hi"]),
    );
    const ends = [1, 2].map(async () => (await partsOf(model.respond(asks(TALK), patientLimits()))).at(-1));
    expect((await Promise.all(ends)).map((end) => end?.kind === "end" && end.inputTokens).toSorted()).toEqual(
      [11, null],
    );
  });

  it("gives calls in pieces whole and in order; arguments that are no JSON as they are", async () => {
    const calls = [
      { id: "a", name: "first", arguments: '{"x": 1}' },
      { id: "b", name: "second", arguments: "{x: nonsense" },
    ];
    const { model } = await always(callsInPieces(calls));
    const parts = await partsOf(model.respond(asks(TALK), patientLimits()));
    expect(parts.flatMap((part) => (part.kind === "tool_call" ? [part.call] : []))).toEqual(calls);
  });

  it("that was cut short gives no half call", async () => {
    const { model } = await always(callsInPieces([{ id: "a", name: "pay", arguments: "{}" }], "length"));
    const parts = await partsOf(model.respond(asks(TALK), patientLimits()));
    expect(parts.map(({ kind }) => kind)).toEqual(["end"]);
  });

  it("of a server that gives calls no index, id or arguments is understood", async () => {
    const { model } = await always(callsOddly(["first", "second"]));
    const parts = await partsOf(model.respond(asks(TALK), patientLimits()));
    expect(parts).toMatchObject([
      { kind: "tool_call", call: { id: "call_1", name: "first", arguments: "{}" } },
      { kind: "tool_call", call: { id: "odd_1", name: "second", arguments: "{}" } },
      { kind: "end", reason: "tool_calls" },
    ]);
  });

  it("leaves its connection for the next one", async () => {
    const { model, server } = await always(speaks(["Hello ", "there"]));
    for (let count = 0; count < 4; count += 1) await partsOf(model.respond(asks(TALK), patientLimits()));
    expect(server.asked).toHaveLength(4);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

describe("an answer of many calls", () => {
  const piece = (rest: object) => ({ function: { name: "pay", arguments: "" }, ...rest });
  const chunkOf = (pieces: readonly object[]) =>
    readChunk({ choices: [{ index: 0, delta: { tool_calls: pieces }, finish_reason: "tool_calls" }] });

  it("is garbage beyond 32 of them", async () => {
    const several = (count: number) =>
      callsInPieces(
        Array.from({ length: count }, (_, place) => ({ id: `c${place}`, name: "pay", arguments: "{}" })),
      );
    const { model } = await over((_asked, count) => several(count === 1 ? 32 : 33));
    const parts = await partsOf(model.respond(asks(TALK), patientLimits()));
    expect(parts.filter(({ kind }) => kind === "tool_call")).toHaveLength(32);
    expect((await failureOf(model.respond(asks(TALK), patientLimits()))).kind).toBe("garbage");
  });

  const KINDS: readonly (readonly [string, (place: number) => object])[] = [
    ["another index for each", (place) => piece({ index: place })],
    ["the same index and id", () => piece({ index: 0, id: "a" })],
    [
      "another id for each, no name",
      (place) => ({ index: 0, id: `i${place}`, function: { arguments: "1" } }),
    ],
    ["neither index nor id", () => piece({})],
    ["a longer name with each", (place) => ({ index: 0, function: { name: String(place % 10) } })],
    ["another field with each", (place) => ({ index: 0, [`f${place}`]: 1 })],
    ["brackets without an end", () => ({ index: 0, function: { name: "pay", arguments: "[" } })],
  ];
  it.each(KINDS)("costs little more than reading its JSON: %s", async (_what, kind) => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, place) => kind(place)));
    const reading = await processorMillis(() => JSON.parse(text));
    const pieces: object[] = JSON.parse(text);
    const gathering = (size: number) => () => {
      const gathered = gatheredAnswer("m", new Set(["pay"]));
      for (let from = 0; from < pieces.length; from += size) {
        const chunk = chunkOf(pieces.slice(from, from + size));
        if (chunk !== null) gathered.take(chunk);
      }
    };
    for (const size of [1, 1_000, 100_000]) {
      const work = () => expect(gathering(size)).toThrow(ModelFailure);
      expect(await costsMore(work, 20 * Math.max(1, reading), 3)).toBeNull();
    }
  });
});

describe("an answer that is longer than any that is spoken", () => {
  const KIB = 1_024;
  const said = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const END = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const answering = async (body: string): Promise<ModelFailureKind | "whole"> => {
    const model = openAiModel(
      {
        baseUrl: "https://model.example/v1",
        apiKey: null,
        fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
        manners: mannersBook(),
        name: "one",
      },
      "one",
    );
    const end = model.respond(asks(TALK), patientLimits());
    return partsOf(end).then(
      () => "whole",
      (error: unknown) => (error instanceof ModelFailure ? error.kind : "unavailable"),
    );
  };
  const filler = (characters: number) => "a ".repeat(characters / 2);

  it.each([
    ["64 Ki characters of text", [filler(64 * KIB)], "whole"],
    ["one more word", [filler(64 * KIB), "ab"], "garbage"],
    ["so much reasoning in the text", [`<think>${filler(64 * KIB)}</think>`], "garbage"],
  ])("%s", async (_what, texts, kind) => {
    expect(await answering(texts.map(said).join("") + END)).toBe(kind);
  });

  it.each([
    ["a frame of 512 KiB", `data: {"x":"${filler(511 * KIB)}"}\n\n`, "whole"],
    ["a longer frame", `data: {"x":"${filler(513 * KIB)}"}\n\n`, "garbage"],
    [
      "a longer frame of many lines",
      `data: {"x":[\n${`data: "${"a".repeat(KIB)}",\n`.repeat(520)}data: 1]}\n\n`,
      "garbage",
    ],
    ["16,000 frames of nothing", "data:null\n".repeat(16_000), "whole"],
    ["17,000 frames of nothing", "data:null\n".repeat(17_000), "garbage"],
  ])("%s before it", async (_what, before, kind) => {
    expect(await answering(before + said("Hello.") + END)).toBe(kind);
  });
});

describe("a request", () => {
  it("carries the key and nothing about this machine", async () => {
    const { model, server } = await always(speaks(["Hello"]));
    await partsOf(model.respond(asks(TALK), patientLimits()));
    const names = (server.asked[0]?.rawHeaders ?? []).filter((_name, index) => index % 2 === 0);
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual([
      "accept",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ]);
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("sends what is set, and asks for figures", async () => {
    const { model, server } = await always(speaks(["Hello"]));
    await partsOf(model.respond(asks(TALK, { model: "other", temperature: 0.5 }), patientLimits()));
    await partsOf(model.respond(asks(TALK), patientLimits()));
    const [set, unset] = server.asked.map(({ body }) => body);
    expect(set).toMatchObject({
      model: "other",
      temperature: 0.5,
      max_tokens: 400,
      stream_options: { include_usage: true },
    });
    expect(unset).toMatchObject({ model: "fake-1" });
    expect(Object.keys(unset ?? {}).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
  });

  it("hides arguments of the history that are no JSON, which servers refuse", async () => {
    const { model, server } = await always(speaks(["Hello"]));
    const call = { id: "1", name: "first", arguments: "{x: nonsense" };
    const messages = [
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: "1", content: "no JSON" },
    ] as const;
    await partsOf(model.respond(asks(TALK, { messages }), patientLimits()));
    expect(server.asked[0]?.body?.["messages"]).toMatchObject([
      {
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "first", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "1" },
    ]);
  });

  it("goes nowhere that is not allowed", async () => {
    const { model, server } = await over(() => speaks(["Hello"]), []);
    const failure = await failureOf(model.respond(asks(TALK), patientLimits()));
    expect(failure.kind).toBe("refused");
    expect(server.connections()).toBe(0);
  });
});
