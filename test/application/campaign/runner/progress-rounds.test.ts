import { describe, expect, it } from "vitest";
import { reportProgress } from "../../../../application/campaign/runner/report-progress.ts";
import type { ProgressReport } from "../../../../application/ports/campaign-progress.ts";
import type { AdmissionRefusal } from "../../../../domain/admission/requests.ts";
import { contact, running } from "../../../domain/campaign/example-campaign.ts";
import { OWNER, pass } from "../../engine-world.ts";
import { countedReads, runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";
import { toldCampaign } from "./told-campaign.ts";

type Options = {
  readonly refusal?: AdmissionRefusal;
  readonly lookMillis?: number;
  readonly damaged?: boolean;
};

/** Two campaigns that run here: the state of the first is in memory. A look at one takes so long. */
async function rounds({ refusal = null, lookMillis = 0, damaged = false }: Options = {}) {
  const reads = countedReads();
  let spent = 0;
  const parts = runnerParts(
    ({ aggregates, clock }) => ({
      clock: {
        ...clock,
        monotonicMillis: () => {
          spent += lookMillis;
          return clock.monotonicMillis() + spent;
        },
      },
      aggregates: {
        ...aggregates,
        campaigns: {
          ...aggregates.campaigns,
          isAtHand: (stream) => damaged || aggregates.campaigns.isAtHand(stream),
          query: (stream, ...rest) =>
            damaged && stream === "campaign-cmp_2"
              ? Promise.reject(new TypeError("damaged"))
              : aggregates.campaigns.query(stream, ...rest),
        },
      },
    }),
    reads,
  );
  await parts.store(STREAM, ...running([contact(1)]));
  await parts.deps.aggregates.campaigns.query(STREAM, () => null);
  const written: { readonly millis: number; readonly reports: readonly ProgressReport[] }[] = [];
  const store = { isAway: false };
  const stop = new AbortController();
  let looks = 0;
  let onLook = () => {};
  const looked = () => {
    looks += 1;
    onLook();
    return refusal;
  };
  const first = toldCampaign("cmp_1", { refusal: looked });
  const second = toldCampaign("cmp_2", { refusal: looked });
  return {
    ...parts,
    written,
    reads: reads.counted,
    store,
    stop,
    looks: () => looks,
    stopsAtLook: () => {
      onLook = () => stop.abort();
    },
    passed: (millis: number) => pass(parts.stores, millis),
    report: () => {
      const write = async (reports: readonly ProgressReport[]) => {
        written.push({ millis: parts.stores.clock.elapsed(), reports });
        if (store.isAway) throw new TypeError("away");
      };
      return reportProgress(parts.deps, { write }, () => [first.campaign, second.campaign], stop.signal);
    },
  };
}

describe("a round of reports", () => {
  it("leaves out a campaign whose state is not in memory, and reads nothing of the log", async () => {
    const { written, reads, report, passed, stop } = await rounds();
    reads.reads = 0;
    void report();
    await passed(10);
    stop.abort();
    expect(written.map(({ reports }) => reports)).toMatchObject([
      [{ campaignId: "cmp_1", owner: OWNER, dueNow: 1, waitingFor: null, estimatedEndAt: null }],
    ]);
    expect(reads.reads).toBe(0);
  });

  it("leaves out one that cannot be read", async () => {
    const { written, report, passed, stop } = await rounds({ damaged: true });
    void report();
    await passed(10);
    stop.abort();
    expect(written.map(({ reports }) => reports.map((one) => one.campaignId))).toEqual([["cmp_1"]]);
  });

  it("says what its campaign waits for", async () => {
    const { written, report, passed, stop } = await rounds({ refusal: "capacity" });
    void report();
    await passed(10);
    stop.abort();
    expect(written[0]?.reports[0]?.waitingFor).toBe("capacity");
  });

  it.each([
    [5, [0, 1_000, 2_000]],
    [20, [0, 2_000, 4_000]],
    [90, [0, 4_000, 8_000]],
  ])(
    "of %i ms takes a hundredth of the time, if that is no more than one in four seconds",
    async (lookMillis, then) => {
      const { written, report, passed, stop } = await rounds({ lookMillis });
      void report();
      await passed(8_001);
      stop.abort();
      expect(written.slice(0, 3).map(({ millis }) => millis)).toEqual(then);
    },
  );

  it("that cannot be written is told once, and again when it was written in between", async () => {
    const { said, store, report, passed, stop } = await rounds();
    store.isAway = true;
    void report();
    await passed(2_500);
    const line = [
      "warn",
      "progress of campaigns not reported; tries again each second",
      { error: new TypeError("away") },
    ];
    expect(said).toEqual([line]);
    store.isAway = false;
    await passed(1_000);
    store.isAway = true;
    await passed(2_000);
    expect(said).toEqual([line, line]);
    stop.abort();
  });

  it("looks at no other campaign once the process stops", async () => {
    const { deps, written, looks, report, passed, stopsAtLook } = await rounds();
    await deps.aggregates.campaigns.query("campaign-cmp_2", () => null);
    stopsAtLook();
    let over = false;
    void report().then(() => {
      over = true;
    });
    await passed(1);
    expect([looks(), over, written.length]).toEqual([1, true, 1]);
  });
});
