import { z } from "zod";
import { instant, ownerId, suppressionListId, suppressionListKind } from "./fields.ts";
import { versionOne } from "./stored-type.ts";

const moment = z.object({
  owner: ownerId,
  listId: suppressionListId,
  name: z.string(),
  kind: suppressionListKind,
  at: instant,
});

/** The stored form of the events of lists of numbers, by type. */
export const storedSuppressionListTypes = {
  SuppressionListChanged: versionOne(moment.extend({ active: z.boolean(), deleted: z.boolean() })),
  SuppressionListReplaced: versionOne(moment.extend({ count: z.int(), sha256: z.string(), asOf: instant })),
};
