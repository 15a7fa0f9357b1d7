import type { FieldTable } from "./field-table.ts";

const OVERRIDES = "model, temperature, voice, language, greetingMessage: what is changed of the assistants'";

export const SQUAD_FIELDS: readonly FieldTable[] = [
  {
    of: ["SquadRequest", "SquadChanges", "Squad"],
    fields: {
      name: "Name of the squad",
      description: "What the squad is for; null: nothing said",
      overrideSettings: OVERRIDES,
    },
  },
  {
    of: ["SquadRequest", "Squad"],
    fields: { members: "Its assistants, at most 20", handoffs: "Who hands over to whom" },
  },
  {
    of: ["OverrideSettings"],
    fields: {
      model: "Name of the language model; null: the installation's",
      temperature: "How freely the model speaks, from 0 (always alike) to 2; null: the model's own",
      voice: "Name of the voice; null: the default one",
      language: "Language spoken, for example tr-TR; null: not set",
      greetingMessage: "The first words; at most 4 KiB",
    },
  },
  { of: ["Squad"], fields: { id: "Id of the squad" } },
  {
    of: ["SquadMemberRequest", "SquadMemberChanges", "SquadMember"],
    fields: {
      isEntry: "true: this member speaks first; exactly one does",
      position: "Place in the order of members; the lowest follows an entry that is removed",
      overrideSettings: `${OVERRIDES}; before the squad's`,
      assistantVersion: "Version of the assistant, counted from 1; null: the latest published one",
    },
  },
  {
    of: ["SquadMemberChanges"],
    fields: { memberId: "Id of the member; needed when the path does not name it" },
  },
  { of: ["SquadMember"], fields: { id: "Id of the member", squadId: "Id of its squad" } },
  {
    of: ["HandoffRequest", "Handoff"],
    fields: {
      fromMemberId: "Id of the member that hands over",
      fromAssistantId: "Id of the assistant that hands over",
      toMemberId: "Id of the member that takes over",
      toAssistantId: "Id of the assistant that takes over",
    },
  },
  {
    of: ["HandoffRequest", "HandoffChanges", "Handoff"],
    fields: {
      description: "When to hand over, for the assistant to judge",
      toolName: "Name under which the assistant sees it: handoff_to_ and a word",
      message: "What is said before; null: nothing",
      contextMode: "How much of the conversation the next assistant gets",
      contextMaxMessages: "Number of messages that it gets with last_n; null: not set",
      variables: "What has to be known for the next assistant",
      "variables.name": "Name of the variable",
      "variables.type": "What its value is",
      "variables.description": "What it means, for the assistant to find it",
      "variables.required": "true: no hand-over without it",
      enabled: "false: it is not used",
    },
  },
  {
    of: ["HandoffChanges"],
    fields: { handoffId: "Id of the handoff; needed when the path does not name it" },
  },
  { of: ["Handoff"], fields: { id: "Id of the handoff", squadId: "Id of its squad" } },
  { of: ["deleteSquad"], fields: { "data.id": "Id of what is gone" } },
  {
    of: ["removeSquadMember", "removeSquadMemberById"],
    fields: {
      "data.id": "Id of what is gone",
      "data.removedHandoffIds": "Ids of the handoffs that went with it",
      "data.newEntryMemberId": "Id of the member that speaks first from now on; null: as before, or nobody",
    },
  },
  {
    of: ["removeHandoff", "removeHandoffById"],
    fields: { "data.id": "Id of what is gone" },
  },
  {
    of: ["removeSquadMember"],
    fields: { "body.memberId": "Id of the member; needed when the query does not name it" },
  },
  {
    of: ["removeHandoff"],
    fields: { "body.handoffId": "Id of the handoff; needed when the query does not name it" },
  },
];
