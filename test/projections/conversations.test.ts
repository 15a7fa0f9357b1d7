import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queries } from "../../application/ports/queries.ts";
import { addEvent, beginCallFacts } from "../../application/webhook/call-facts.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { createPostgresAnalysisTokens } from "../../infrastructure/analyses/postgres-analysis-settings.ts";
import { callsProjection } from "../../projections/calls/calls.ts";
import { tokensOfDay } from "../../projections/calls/usage.ts";
import type { ReadModels } from "../../projections/read-models.ts";
import { PRESSED, randomConversation } from "./random-conversation.ts";
import type { HistoryEvent } from "./random-history.ts";
import { allRows, openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";
import { seededRandom } from "./seeded-random.ts";

const OWNERS: readonly OwnerId[] = ["usr_1", "usr_2"];
const CALLS = 120;

type Told = { readonly callId: CallId; readonly owner: OwnerId; readonly events: readonly CallEvent[] };

/** Any beginning of a random conversation, the request at the least. */
const told: readonly Told[] = Array.from({ length: CALLS }, (_, seed) => {
  const [callId, owner] = [`call_${seed}`, OWNERS[seed % 2] ?? "usr_1"] as const;
  const random = seededRandom(seed + 1_000);
  const whole = randomConversation(seed, callId, owner, random(40));
  return { callId, owner, events: whole.slice(0, 1 + random(whole.length)) };
});

type ByType = { readonly [Event in CallEvent as Event["type"]]: Event };

function of<Type extends keyof ByType>(
  events: readonly CallEvent[],
  type: Type,
): readonly ByType[Type]["data"][] {
  const isWanted = (event: CallEvent): event is ByType[Type] => event.type === type;
  return events.filter(isWanted).map((event): ByType[Type]["data"] => event.data);
}

/** What a reader of the events would write down, each question asked of all events anew. */
function messagesOf(events: readonly CallEvent[]) {
  const said = of(events, "CallMessageAdded").map(({ message }) => {
    const heard = of(events, "CallSpeechCut").find(({ messageIndex }) => messageIndex === message.index);
    if (heard === undefined) return message;
    return { ...message, content: heard.heard, interrupted: true, intended: message.content };
  });
  const asked = of(events, "CallToolBegan").map((began) => {
    const ended = of(events, "CallToolEnded").find(({ toolCallId }) => toolCallId === began.toolCallId);
    const { toolName, arguments: given, assistantId, at, offsetMs, turn, messageIndex: index } = began;
    return {
      ...{ index, role: "tool", assistantId, at, offsetMs, turn, toolName, arguments: given },
      ...(began.toolId === null ? {} : { toolId: began.toolId }),
      ...(ended === undefined ? {} : { isError: ended.isError }),
      result: ended?.shown ?? null,
      content: expect.stringContaining(ended?.outcome === "unknown" ? "unknown" : toolName),
    };
  });
  const handed = of(events, "CallHandedOver").map(
    ({ messageIndex: index, at, offsetMs, turn, toolName, ...rest }) => ({
      ...{
        index,
        role: "tool",
        assistantId: rest.from,
        at,
        offsetMs,
        turn,
        toolName,
        arguments: rest.variables,
      },
      ...{ content: `Handed over to ${rest.to}`, isError: false },
      result: { assistantId: rest.to, assistantVersion: rest.toAssistantVersion },
    }),
  );
  return [...said, ...asked, ...handed].toSorted((a, b) => a.index - b.index);
}

function sumOf(amounts: readonly (number | null | undefined)[]): number | null {
  const known = amounts.filter((amount) => typeof amount === "number");
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

function percentilesOf(millis: readonly (number | null | undefined)[]) {
  const known = millis.flatMap((one) => (typeof one === "number" ? [Math.round(one)] : []));
  const within = (limit: number) => known.filter((one) => one <= limit).length / known.length;
  const least = (share: number) =>
    known.toSorted((a, b) => a - b).find((one) => within(one) >= share) ?? null;
  return { p50: least(0.5), p95: least(0.95) };
}

function conversationOf(events: readonly CallEvent[]) {
  if (of(events, "CallConnected").length === 0) return null;
  const said = of(events, "CallMessageAdded").map(({ message }) => message);
  const sessions = of(events, "CallSessionBegan").map(({ epoch }) => epoch);
  const ends = of(events, "CallSessionEnded");
  const lost = sessions.filter((epoch) => {
    const end = ends.find((one) => one.epoch === epoch);
    return end === undefined ? sessions.includes(epoch + 1) : end.cause !== "hung_up";
  });
  return {
    turns: new Set(said.flatMap(({ role, turn = 0 }) => (role === "customer" && turn > 0 ? [turn] : [])))
      .size,
    interruptions: of(events, "CallSpeechCut").length,
    handoffs: of(events, "CallHandedOver").length,
    toolCalls: of(events, "CallToolBegan").length,
    firstTokenMs: percentilesOf(said.map(({ timing }) => timing?.firstTokenMillis)),
    firstAudioMs: percentilesOf(said.map(({ timing }) => timing?.firstAudioMillis)),
    model: said.findLast(({ model }) => model !== undefined)?.model?.name ?? null,
    inputTokens: sumOf(said.map(({ model }) => model?.inputTokens)),
    outputTokens: sumOf(said.map(({ model }) => model?.outputTokens)),
    sessionsLost: lost.length,
  };
}

describe("any beginning of a random conversation", () => {
  let world: ReadWorld;
  let models: ReadModels;
  let queries: Queries;
  beforeAll(async () => {
    world = await openReadWorld();
    models = world.start();
    queries = queriesOf(world, models);
    const left = told.map(({ callId, owner, events }) =>
      events.map((event): HistoryEvent => ({ stream: `call-${callId}`, owner, event })),
    );
    const random = seededRandom(5);
    // Cuts and results come in other batches than what they are about.
    for (let wave = 0; wave < 4; wave += 1)
      await happened(left.flatMap((events) => events.splice(0, wave === 3 ? events.length : random(12))));
  });
  afterAll(() => world.close());

  async function happened(events: readonly HistoryEvent[]): Promise<void> {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  }

  it("shows in its record the messages and figures that a plain reading gives", async () => {
    for (const { callId, owner, events } of told) {
      const record = await queries.call(owner, callId);
      expect(record?.messages, callId).toEqual(messagesOf(events));
      expect(record?.conversation, callId).toEqual(conversationOf(events));
      const verdict = of(events, "CallMachineJudged").at(-1) ?? of(events, "CallConnected")[0];
      expect(record?.answeredBy, callId).toBe(verdict?.answeredBy ?? null);
    }
    const rows = told.flatMap(({ events }) => messagesOf(events));
    expect(rows.filter(({ content }) => content === null).length).toBeGreaterThan(10);
  });

  it("shows keys that were pressed as words of the customer", async () => {
    const shown = [];
    for (const { callId, owner } of told) {
      const messages = (await queries.call(owner, callId))?.messages ?? [];
      shown.push(...messages.filter(({ content }) => content?.includes(PRESSED)));
    }
    expect(shown.length).toBeGreaterThan(10);
    expect(new Set(shown.map(({ role, content }) => `${role}: ${content}`))).toEqual(
      new Set([`customer: [keys: ${PRESSED}]`]),
    );
  });

  it("is told by call.ended as by the record, however often it is heard", () => {
    for (const { events } of told) {
      const [request] = of(events, "CallRequested");
      if (request === undefined) throw new Error("no request");
      const story = beginCallFacts(request);
      for (const event of events) for (const _twice of [1, 2]) addEvent(story, event);
      expect(story.messages).toEqual(messagesOf(events));
    }
  });

  it("counts on the day of its creation, for its owner alone", async () => {
    for (const owner of OWNERS) {
      const days = Map.groupBy(
        told.filter((call) => call.owner === owner),
        ({ events }) => events[0]?.data.at.slice(0, 10) ?? "",
      );
      const expected = [...days].toSorted().map(([day, calls]) => {
        const all = calls.flatMap(({ events }) => events);
        const said = of(all, "CallMessageAdded").map(({ message }) => message.model);
        const talk = of(all, "CallCompleted").reduce(
          (sum, end) => sum + (end.durationSeconds ?? 0) * 1_000,
          0,
        );
        return {
          day,
          calls: calls.length,
          talkSeconds: Math.round(talk) / 1_000,
          inputTokens: sumOf(said.map((model) => model?.inputTokens)) ?? 0,
          outputTokens: sumOf(said.map((model) => model?.outputTokens)) ?? 0,
          rehearsalTokens: 0,
        };
      });
      expect(await queries.usage(owner, "2026-09-01", "2026-09-30")).toEqual(expected);
      const [first] = expected;
      const tokens = (first?.inputTokens ?? 0) + (first?.outputTokens ?? 0);
      expect(await tokensOfDay(world.db, owner, first?.day ?? "")).toBe(tokens);
    }
    expect(await tokensOfDay(world.db, "usr_none", "2026-09-01")).toBe(0);
  });

  it("is counted with the tokens of analyses, on the day of their use", async () => {
    const [owner, day] = ["usr_analysed", "2026-09-02"] as const;
    const tokens = createPostgresAnalysisTokens(world.database.pool);
    await tokens.add(owner, day, { inputTokens: 1_000, outputTokens: 50 });
    await tokens.add(owner, day, { inputTokens: 500, outputTokens: null });
    await tokens.add(owner, "2026-10-01", { inputTokens: 7, outputTokens: 7 });
    expect(await queries.usage(owner, "2026-09-01", "2026-09-30")).toEqual([
      { day, calls: 0, talkSeconds: 0, inputTokens: 1_500, outputTokens: 50, rehearsalTokens: 0 },
    ]);
    await world.database.pool.query(
      "insert into work.rehearsal_tokens values ($1, $2, 300, 20), ($1, '2026-10-02', 7, 7)",
      [owner, day],
    );
    expect(await queries.usage(owner, "2026-09-01", "2026-09-30")).toMatchObject([
      { day, inputTokens: 1_500, outputTokens: 50, rehearsalTokens: 320 },
    ]);
    expect(await tokensOfDay(world.db, owner, day)).toBe(1_870);
    const [first] = told;
    const [request] = first?.events ?? [];
    if (first === undefined || request === undefined) throw new Error("Nobody called");
    const called = request.data.at.slice(0, 10);
    const before = await tokensOfDay(world.db, first.owner, called);
    await tokens.add(first.owner, called, { inputTokens: 5, outputTokens: 6 });
    expect(await tokensOfDay(world.db, first.owner, called)).toBe(before + 11);
  });

  it("has the same rows after a rebuild", async () => {
    const live = await allRows(world.db, [callsProjection]);
    expect(live["usage_v3"]?.length).toBeGreaterThan(2);
    await world.rebuild({}, [callsProjection]);
    expect(await allRows(world.db, [callsProjection])).toEqual(live);
  });
});
