import type {
  ApiKeyId,
  AssistantId,
  CallId,
  CampaignId,
  ConnectionId,
  ContactId,
  DeliveryId,
  ErasureId,
  HandoffId,
  ImportId,
  MemberId,
  OwnerId,
  PhoneNumberId,
  SquadId,
  ToolId,
} from "../../domain/shared/ids.ts";

export type IdOf = {
  call: CallId;
  cmp: CampaignId;
  ctc: ContactId;
  sqd: SquadId;
  mbr: MemberId;
  hnd: HandoffId;
  ast: AssistantId;
  pn: PhoneNumberId;
  tool: ToolId;
  usr: OwnerId;
  key: ApiKeyId;
  dlv: DeliveryId;
  imp: ImportId;
  conn: ConnectionId;
  ers: ErasureId;
};

/** The only source of new ids. */
export interface Ids {
  /** A fresh TypeID: prefix and UUIDv7 in lower-case base32. */
  next<Prefix extends keyof IdOf>(prefix: Prefix): IdOf[Prefix];
  /** A fresh UUID (event ids, correlation ids). */
  uuid(): string;
  /** UUIDv5 of the text in this installation's namespace: the same text always gives the same UUID. */
  derivedUuid(text: string): string;
}
