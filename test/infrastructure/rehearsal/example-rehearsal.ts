import type { FrozenLine, PlayedRun } from "../../../application/ports/rehearsal-run.ts";
import type { NewRehearsal } from "../../../application/ports/rehearsals.ts";
import type { RehearsedCase } from "../../../domain/rehearsal/rehearsal.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";

/** In every column that is sealed, and nowhere else. */
export const MARK = "zxqvmarkedword";

const line = (owner: OwnerId): FrozenLine => ({
  conversation: { version: 1, owner, squadId: null, squadName: MARK, speakers: [] },
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
  maxDurationSeconds: 600,
  outcome: null,
  samples: { tool_1: MARK },
});

const rehearsedCase = (name: string): RehearsedCase => ({
  name,
  caller: { kind: "written", turns: [{ kind: "words", text: MARK }] },
  at: "2026-11-28T10:00:00.000Z",
  contact: { name: null, customData: null, timezone: null },
  greetingMessage: null,
  specialInstructions: null,
  tools: {},
  expect: [{ says: "yes" }],
  passAt: 0.5,
  maxTurns: 10,
});

type Wanted = Partial<NewRehearsal> & { readonly owner: OwnerId; readonly cases?: number };

/** Two cases once, unless it is said otherwise. */
export function newRehearsal({ owner, cases = 2, ...wanted }: Wanted): NewRehearsal {
  const lanes = wanted.baseline === true ? (["candidate", "baseline"] as const) : (["candidate"] as const);
  const named = Array.from({ length: cases }, (_, index) => rehearsedCase(`${MARK} ${index}`));
  return {
    id: systemIds.next("rhl"),
    owner,
    name: "Shorter greeting",
    assistantId: "ast_1",
    squadId: null,
    version: "draft",
    baseline: false,
    repeat: 1,
    maxTokens: 100_000,
    draftHash: "00",
    callIds: [],
    connectionIds: [null],
    actor: "key_1",
    createdAt: "2026-11-28T10:00:00.000Z",
    words: {
      given: {
        ...{ name: MARK, version: "draft", baseline: false, cases: [] },
        ...{ repeat: 1, passAt: 1, maxTokens: 100_000 },
      },
      cases: named,
      lines: { candidate: line(owner), baseline: wanted.baseline === true ? line(owner) : null },
    },
    // Against the order in which they are played.
    runs: named
      .flatMap((_, caseIndex) =>
        lanes.flatMap((lane) =>
          Array.from({ length: wanted.repeat ?? 1 }, (_each, n) => ({
            ...{ runId: systemIds.next("run"), caseIndex, lane, n: n + 1 },
          })),
        ),
      )
      .toReversed(),
    ...wanted,
  };
}

export const playedRun = (changes: Partial<PlayedRun> = {}): PlayedRun => ({
  status: "passed",
  problem: null,
  failures: [{ expect: { says: MARK }, got: MARK, messageIndex: 1 }],
  messages: [
    {
      ...{ index: 0, role: "customer", assistantId: null, content: MARK },
      ...{ at: "2026-11-28T10:00:00.000Z", offsetMs: 0 },
    },
  ],
  outcome: { fields: { plan: MARK }, success: null },
  endReason: null,
  turns: 2,
  toolCalls: 1,
  inputTokens: 100,
  outputTokens: 20,
  firstTokenMillis: 40,
  warnings: [],
  ...changes,
});
