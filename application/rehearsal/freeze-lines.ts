import type { AssistantId, OwnerId } from "../../domain/shared/ids.ts";
import { type Pinned, pinAssistant, pinSquad, pinVersion } from "../call/pinning/pin-configuration.ts";
import { conversationOf, type Line, toolsTooLarge } from "../call/pinning/pin-conversation.ts";
import type { Aggregates } from "../log/aggregates.ts";
import { refused } from "../outcome.ts";
import type { LineDirectory, LineSnapshots } from "../ports/line-snapshots.ts";
import type { FrozenLine } from "../ports/rehearsal-run.ts";
import type { NewRehearsal, RehearsalWords } from "../ports/rehearsals.ts";
import { type SquadToPin, squadToPin } from "../squad/squad-to-pin.ts";

/** Ids are any text that the caller sent; exactly one of them is given. */
type LinesToFreeze = Pick<NewRehearsal, "version" | "baseline"> & {
  readonly assistantId: string | null;
  readonly squadId: string | null;
};

type FrozenLines = {
  readonly lines: RehearsalWords["lines"];
  /** SHA-256 of the candidate, in hex: of an assistant's draft it is equal as long as nothing changes. */
  readonly draftHash: string;
};

type Deps = {
  readonly snapshots: LineSnapshots;
  readonly aggregates: Pick<Aggregates, "squads">;
};

/**
 * What a rehearsal speaks with, everything read at one moment. Of a squad its entry speaks first; members
 * without a version of their own have the asked one. Refused at its path: an unknown id (ASSISTANT_NOT_FOUND,
 * SQUAD_NOT_FOUND), or VALIDATION_ERROR at `version` or `baseline` (there is none such), or at the id.
 */
export async function freezeLines(
  { snapshots, aggregates }: Deps,
  owner: OwnerId,
  { assistantId, squadId, version, baseline }: LinesToFreeze,
): Promise<Pinned<FrozenLines>> {
  const squad = squadId === null ? null : await squadToPin(aggregates.squads, owner, squadId);
  const of: Spoken =
    squadId === null ? { kind: "assistant", assistantId: assistantId ?? "" } : { kind: "squad", squad };
  return snapshots.read(async (directory) => {
    const candidate = await frozenLine(directory, owner, of, version, "version");
    if (!candidate.ok) return candidate;
    const before = baseline ? await frozenLine(directory, owner, of, "published", "baseline") : null;
    if (before?.ok === false) return before;
    const lines = { candidate: candidate.value, baseline: before?.value ?? null };
    return { ok: true, value: { lines, draftHash: snapshots.hashOf(lines.candidate) } };
  });
}

type Spoken =
  | { readonly kind: "assistant"; readonly assistantId: string }
  /** null: the owner has no such squad. */
  | { readonly kind: "squad"; readonly squad: SquadToPin | null };

/** The draft of an assistant, as `freezeLines` makes it of this directory. */
export function draftLine(
  directory: LineDirectory,
  owner: OwnerId,
  assistantId: AssistantId,
): Promise<Pinned<FrozenLine>> {
  return frozenLine(directory, owner, { kind: "assistant", assistantId }, "draft", "version");
}

/** `path`: of the field that asks for the version. */
async function frozenLine(
  directory: LineDirectory,
  owner: OwnerId,
  of: Spoken,
  version: NewRehearsal["version"],
  path: "version" | "baseline",
): Promise<Pinned<FrozenLine>> {
  const asked = askedVersion(directory, version);
  const line = await (of.kind === "assistant"
    ? lineOfAssistant(asked, owner, of.assistantId)
    : lineOfSquad(asked, owner, of.squad, version));
  if (line.ok)
    return frozen(directory, owner, line.value, of.kind === "assistant" ? "assistantId" : "squadId");
  const { code, details } = line.refusal;
  if (code !== "ASSISTANT_NOT_PUBLISHED") return line;
  const message = typeof version === "number" ? "No such version" : (details[0]?.message ?? "Not published");
  return refused("VALIDATION_ERROR", "There is no such version", [{ path: [path], message }]);
}

/** The directory, as if the asked version of each assistant were the published one. */
function askedVersion(directory: LineDirectory, asked: NewRehearsal["version"]): LineDirectory {
  if (asked === "published") return directory;
  const number = asked === "draft" ? DRAFT : asked;
  return {
    ...directory,
    assistant: async (owner, id) =>
      (await directory.assistant(owner, id)) === null ? null : { publishedVersion: number },
    assistantVersion: (owner, id, version) =>
      version === DRAFT ? directory.draft(owner, id) : directory.assistantVersion(owner, id, version),
  };
}

const DRAFT = 0;

async function lineOfAssistant(
  directory: LineDirectory,
  owner: OwnerId,
  assistantId: string,
): Promise<Pinned<Line>> {
  const assistant = await pinAssistant(directory, owner, assistantId);
  if (!assistant.ok) return assistant;
  return {
    ok: true,
    value: { squad: null, speakers: [{ memberId: null, assistant: assistant.value, links: [] }] },
  };
}

async function lineOfSquad(
  directory: LineDirectory,
  owner: OwnerId,
  squad: SquadToPin | null,
  version: NewRehearsal["version"],
): Promise<Pinned<Line>> {
  const first = squad?.members.find(({ isEntry }) => isEntry);
  if (squad === null || first === undefined)
    return refused("SQUAD_NOT_FOUND", "Squad not found", [
      { path: ["squadId"], message: "No such squad with a member" },
    ]);
  if (typeof version === "number")
    return refused("VALIDATION_ERROR", "A squad has no versions", [
      { path: ["version"], message: "Of a squad draft or published" },
    ]);
  const { assistantId, assistantVersion } = first;
  const speaker = await (assistantVersion === null
    ? pinAssistant(directory, owner, assistantId)
    : pinVersion(directory, owner, assistantId, assistantVersion));
  if (!speaker.ok) return speaker;
  const team = await pinSquad(directory, owner, squad, speaker.value);
  return team.ok ? { ok: true, value: { squad, speakers: team.value.speakers } } : team;
}

async function frozen(
  directory: LineDirectory,
  owner: OwnerId,
  line: Line,
  field: "assistantId" | "squadId",
): Promise<Pinned<FrozenLine>> {
  const [first] = line.speakers;
  const conversation = await conversationOf(directory, owner, line);
  if (conversation === null || first === undefined) return toolsTooLarge(field);
  const { voicemailPolicy, voicemailMessage, maxDurationSeconds, outcome } = first.assistant;
  const toolIds = new Set(line.speakers.flatMap(({ assistant }) => assistant.toolIds));
  const samples = await directory.samples(owner, [...toolIds]);
  const value = { conversation, voicemailPolicy, voicemailMessage, maxDurationSeconds, outcome, samples };
  return { ok: true, value };
}
