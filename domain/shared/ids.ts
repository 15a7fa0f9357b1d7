/**
 * Ids are opaque: a type prefix and a UUIDv7 in lower-case base32 (TypeID form), so they sort by creation.
 * Made by the `Ids` port.
 */
export type CallId = `call_${string}`;
export type CampaignId = `cmp_${string}`;
export type ContactId = `ctc_${string}`;
export type SquadId = `sqd_${string}`;
export type MemberId = `mbr_${string}`;
export type HandoffId = `hnd_${string}`;
export type AssistantId = `ast_${string}`;
export type PhoneNumberId = `pn_${string}`;
export type ToolId = `tool_${string}`;
export type OwnerId = `usr_${string}`;
export type ApiKeyId = `key_${string}`;
export type DeliveryId = `dlv_${string}`;
export type ConnectionId = `conn_${string}`;
export type ErasureId = `ers_${string}`;
export type SuppressionListId = `spl_${string}`;
export type VerificationId = `pvf_${string}`;
export type RehearsalId = `rhl_${string}`;
/** One play of a case of a rehearsal. */
export type RunId = `run_${string}`;
/** Id of one import: all chunks of one create or add request. */
export type ImportId = `imp_${string}`;

/** By the prefix of their text. */
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
  spl: SuppressionListId;
  pvf: VerificationId;
  rhl: RehearsalId;
  run: RunId;
};
