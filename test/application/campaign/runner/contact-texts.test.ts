import { describe, expect, it } from "vitest";
import {
  createContactTexts,
  createImportedChunks,
} from "../../../../application/campaign/runner/contact-texts.ts";
import { contact, imported, running } from "../../../domain/campaign/example-campaign.ts";
import { countedReads, runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const ZOE = contact(1, { name: "Zoë", customData: { city: "Rome" } });

/** A campaign whose log holds one import at revision 0 and another one at revision 3, and may be away. */
async function textsOf() {
  const reads = countedReads();
  const log = { isAway: false };
  const parts = runnerParts(undefined, {
    wrapStore: (store) => {
      const counted = reads.wrapStore(store);
      const read: typeof store.read = async (...args) => {
        if (log.isAway) throw new TypeError("away");
        return counted.read(...args);
      };
      return { ...counted, read };
    },
  });
  await parts.store(STREAM, ...running([ZOE]), imported([contact(2)], "imp_2"));
  return { log, reads: reads.counted, texts: createContactTexts(createImportedChunks(parts.deps)) };
}

describe("what is known of a contact", () => {
  it("stands in the chunk of its import, which is read once for all of its contacts", async () => {
    const { texts, reads } = await textsOf();
    expect(await texts("cmp_1", 0, "ctc_1")).toEqual(ZOE);
    expect(await texts("cmp_1", 0, "ctc_2")).toBeNull();
    expect(reads.reads).toBe(1);
    expect(await texts("cmp_1", 3, "ctc_2")).toEqual(contact(2));
    expect(reads.reads).toBe(2);
  });

  it("is nothing where that revision is no import, or not there", async () => {
    const { texts } = await textsOf();
    expect([await texts("cmp_1", 1, "ctc_1"), await texts("cmp_1", 99, "ctc_1")]).toEqual([null, null]);
  });

  it("is asked for again after a failure", async () => {
    const { texts, log } = await textsOf();
    log.isAway = true;
    await expect(texts("cmp_1", 0, "ctc_1")).rejects.toThrow("away");
    log.isAway = false;
    expect(await texts("cmp_1", 0, "ctc_1")).toEqual(ZOE);
  });
});
