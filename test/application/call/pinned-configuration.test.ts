import { beforeEach, describe, expect, it } from "vitest";
import type { MemberInput } from "../../../application/squad/squad-requests.ts";
import type { AssistantId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const OTHER: AssistantId = "ast_2";
const UNPUBLISHED = "Assistant has no published version. Please publish the assistant first";

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];
beforeEach(async () => {
  stores = sharedStores();
  ({ useCases } = engineProcess(stores, { works: false }));
  const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (first === null) throw new Error("no assistant");
  stores.directory.publish(OWNER, { ...first, assistantId: OTHER, version: 1, name: "Old" });
  stores.directory.publish(OWNER, { ...first, assistantId: OTHER, version: 2, name: "New" });
});

const create = (changes: Parameters<typeof campaignRequest>[1]) =>
  until(stores, useCases.createCampaign(CALLER, campaignRequest(1, changes)));
const refusal = (code: string, message: string, path: string, detail: string) => ({
  ok: false,
  refusal: { code, message, details: [{ path: [path], message: detail }] },
});
const member = (assistantId: string, assistantVersion: number | null = null): MemberInput => ({
  assistantId,
  assistantVersion,
  isEntry: false,
  position: null,
  overrideSettings: {},
});
const squad = (members: readonly MemberInput[]) =>
  until(
    stores,
    useCases.createSquad(CALLER, {
      reservedSquadId: "sqd_1",
      name: "Team",
      description: null,
      overrideSettings: {},
      members,
      handoffs: [],
    }),
  );
const created = () => {
  const event = stores.database.events.findLast(({ type }) => type === "CampaignCreated");
  return event?.data;
};

describe("a campaign is refused, and nothing stored, because of", () => {
  it.each(["ast_none", "no id at all"])("an assistant that is not there: %s", async (assistantId) => {
    const message = "Assistant not found";
    expect(await create({ assistantId })).toEqual(
      refusal("ASSISTANT_NOT_FOUND", message, "assistantId", "Unknown assistant"),
    );
    expect(created()).toBeUndefined();
  });

  it("an assistant that is not published", async () => {
    stores.directory.unpublish(OWNER, ASSISTANT);
    expect(await create({})).toEqual(
      refusal("ASSISTANT_NOT_PUBLISHED", UNPUBLISHED, "assistantId", "Not published"),
    );
  });

  it.each(["pn_none", "no id at all"])("a number that is not there: %s", async (phoneNumberId) => {
    expect(await create({ phoneNumberId })).toEqual(
      refusal(
        "PHONE_NUMBER_NOT_FOUND",
        "Phone number not found or not active",
        "phoneNumberId",
        "Unknown or not active",
      ),
    );
  });

  it("a number that is not active", async () => {
    stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: false });
    expect(await create({})).toMatchObject({ refusal: { code: "PHONE_NUMBER_NOT_FOUND" } });
  });

  it.each(["sqd_none", "no id at all"])("a squad that is not there: %s", async (squadId) => {
    expect(await create({ squadId })).toEqual(
      refusal("SQUAD_NOT_FOUND", "Squad not found", "squadId", "Unknown squad"),
    );
  });

  it("an assistant that is no member of the squad", async () => {
    await squad([member(OTHER)]);
    expect(await create({ squadId: "sqd_1" })).toEqual(
      refusal(
        "VALIDATION_ERROR",
        "The assistant is not a member of the squad",
        "assistantId",
        "Must be the assistant of one of the squad's members",
      ),
    );
  });

  it("a member of the squad that is not published", async () => {
    await squad([member(ASSISTANT), member(OTHER)]);
    stores.directory.unpublish(OWNER, OTHER);
    expect(await create({ squadId: "sqd_1" })).toEqual(
      refusal(
        "ASSISTANT_NOT_PUBLISHED",
        "An assistant of the squad has no such published version. Please publish the assistant first",
        "squadId",
        `Assistant ${OTHER} is not published`,
      ),
    );
  });
});

describe("what a campaign holds for good", () => {
  it("is assistant, number and squad as they are now: each member at its own version or the latest", async () => {
    await squad([member(OTHER, 1), member(ASSISTANT)]);
    expect(await create({ squadId: "sqd_1" })).toMatchObject({ ok: true });
    expect(created()).toMatchObject({
      owner: OWNER,
      importId: "imp_1",
      from: "+15005550000",
      phoneNumberId: PHONE_NUMBER,
      assistant: {
        assistantId: ASSISTANT,
        assistantVersion: 1,
        name: "Ada",
        greetingMessage: "Hello {{name}}",
      },
      squad: {
        squadId: "sqd_1",
        members: [
          { assistantId: OTHER, assistantVersion: 1, name: "Old" },
          { assistantId: ASSISTANT, assistantVersion: 1, name: "Ada" },
        ],
        handoffs: [],
      },
      voicemailPolicy: "hang_up",
      voicemailMessage: null,
      maxDurationSeconds: 60,
      ringTimeoutSeconds: 60,
    });
  });

  it("is of a member without a version the latest published one", async () => {
    await squad([member(ASSISTANT), member(OTHER)]);
    await create({ squadId: "sqd_1" });
    expect(created()).toMatchObject({
      squad: { members: [{}, { assistantId: OTHER, assistantVersion: 2 }] },
    });
  });

  it("is what the request said of texts, limits and time", async () => {
    const said = {
      name: "Said",
      greetingMessage: "Hi {{name}}",
      specialInstructions: "Be {{mood}}",
      metadata: { order: 7 },
      maxConcurrentCalls: 3,
      maxCallsPerSecond: 2,
      maxRetries: 0,
      retryIntervalMins: 5,
      timezone: "America/New_York",
    } as const;
    await create({ ...said, retryOn: ["busy"], ringTimeoutSeconds: 25 });
    const { greetingMessage, specialInstructions, metadata, ...settings } = said;
    expect(created()).toMatchObject({
      greetingMessage,
      specialInstructions,
      metadata,
      ringTimeoutSeconds: 25,
      totalContacts: 1,
      settings: { ...settings, retryOn: ["busy"], window: null },
    });
  });

  it("is every retried end reason where none was named", async () => {
    await create({});
    expect(created()?.["settings"]).toMatchObject({
      retryOn: expect.arrayContaining(["busy", "no_answer", "voicemail", "not_placed"]),
    });
  });
});
