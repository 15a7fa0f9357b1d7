import { describe, expect, it } from "vitest";
import type { EndWish } from "../../../application/call/call-ending.ts";
import { requestEnd, transferLine } from "../../../application/conversation/ending-line.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { conversationWorld, until } from "../../support/conversation/conversation-world.ts";
import { createLineSession, type LineSettings } from "../../support/conversation/line-session.ts";
import { keptLines } from "./kept-lines.ts";

const NUMBER = "+14155550199";

describe("a line that is handed on", () => {
  async function handOn(
    to: string,
    listed: readonly PhoneNumber[] | Error = [],
    settings: LineSettings = {},
  ) {
    const { clock, request } = await conversationWorld();
    const line = createLineSession(clock, settings);
    const logger = keptLines();
    const asked: unknown[] = [];
    const suppressed = async (...given: readonly unknown[]) => {
      asked.push(given);
      if (listed instanceof Error) throw listed;
      return new Set(listed);
    };
    const answer = await transferLine({ suppressed, logger }, request.owner, line.session, to);
    return { answer, to: line.transferredTo(), asked, lines: logger.lines };
  }

  it("goes to the number, after the owner's do-not-call list was asked for it", async () => {
    expect(await handOn(NUMBER)).toEqual({
      answer: "begun",
      to: NUMBER,
      asked: [["usr_1", [NUMBER]]],
      lines: [],
    });
  });

  it("and whose carrier cannot says so", async () => {
    expect((await handOn(NUMBER, [], { transfers: "unsupported" })).answer).toBe("unsupported");
  });

  it("goes to nobody who is on the list", async () => {
    expect(await handOn(NUMBER, [NUMBER])).toMatchObject({ answer: "refused", to: null, lines: [] });
  });

  it("goes to nobody when the list cannot be asked", async () => {
    expect(await handOn(NUMBER, new Error("the database is away"))).toMatchObject({
      answer: "refused",
      to: null,
      lines: [
        {
          level: "error",
          message: "the do-not-call list could not be asked before a transfer",
          fields: { error: expect.any(Error) },
        },
      ],
    });
  });

  it("goes to nothing that is no number, and nobody is asked about it", async () => {
    expect(await handOn("the front desk")).toEqual({ answer: "refused", to: null, asked: [], lines: [] });
  });
});

describe("the end of a conversation", () => {
  async function end(wish: EndWish, hangUp: () => Promise<void> = async () => undefined) {
    const world = await conversationWorld();
    const logger = keptLines();
    const asked: unknown[] = [];
    const deps = {
      logger,
      hangUp: (...given: readonly unknown[]) => {
        asked.push(given);
        return hangUp();
      },
    };
    await until(world.clock, requestEnd(deps, world.request.callId, wish, world.origin));
    return { asked, world, lines: logger.lines };
  }

  it("is the carrier's to bring about", async () => {
    const wish = { by: "assistant", reason: "assistant_ended" } as const;
    const { asked, world } = await end(wish);
    expect(asked).toEqual([["call_1", wish, world.origin]]);
    expect(world.types().at(-1)).toBe("CallConnected");
  });

  it("that the log does not take stops nobody, and the log of the service says so", async () => {
    const { lines } = await end({ by: "system", reason: "max_duration" }, () =>
      Promise.reject(new Error("the log is away")),
    );
    expect(lines).toEqual([
      {
        level: "error",
        message: "the end of a conversation could not be stored",
        fields: { callId: "call_1", error: expect.any(Error) },
      },
    ]);
  });
});
