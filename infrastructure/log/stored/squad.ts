import { z } from "zod";
import { assistantId, handoffId, instant, jsonObject, memberId, ownerId, squadId } from "./fields.ts";
import { versionOne } from "./stored-type.ts";

const moment = z.object({ squadId, at: instant });

const member = z.object({
  memberId,
  assistantId,
  assistantVersion: z.int().nullable(),
  isEntry: z.boolean(),
  position: z.int(),
  overrideSettings: jsonObject,
});

const handoff = z.object({
  handoffId,
  fromMemberId: memberId,
  toMemberId: memberId,
  toolName: z.string(),
  description: z.string(),
  message: z.string().nullable(),
  contextMode: z.enum(["all", "last_n", "user_and_assistant", "previous", "none"]),
  contextMaxMessages: z.int().nullable(),
  variables: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["string", "number", "boolean"]),
      description: z.string(),
      required: z.boolean(),
    }),
  ),
  enabled: z.boolean(),
});

const changes = z.object({
  name: z.string().exactOptional(),
  description: z.string().nullable().exactOptional(),
  overrideSettings: jsonObject.exactOptional(),
});

/** The stored form of the events of a squad, by type. */
export const storedSquadTypes = {
  SquadCreated: versionOne(
    moment.extend({
      owner: ownerId,
      name: z.string(),
      description: z.string().nullable(),
      overrideSettings: jsonObject,
    }),
  ),
  SquadChanged: versionOne(moment.extend({ changes })),
  SquadMemberAdded: versionOne(moment.extend({ member })),
  SquadMemberChanged: versionOne(moment.extend({ member })),
  SquadMemberRemoved: versionOne(
    moment.extend({
      memberId,
      removedHandoffIds: z.array(handoffId),
      newEntryMemberId: memberId.nullable(),
    }),
  ),
  SquadHandoffAdded: versionOne(moment.extend({ handoff })),
  SquadHandoffChanged: versionOne(moment.extend({ handoff })),
  SquadHandoffRemoved: versionOne(moment.extend({ handoffId })),
  SquadDeleted: versionOne(moment),
};
