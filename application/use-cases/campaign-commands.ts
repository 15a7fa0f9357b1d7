import type { CallWindow, CampaignSettings } from "../../domain/campaign/events.ts";

/** PATCH /campaigns/:id, checked for ranges and zones. `callWindow*` are merged with what stands, then judged together. */
export type CampaignSettingsChanges = Partial<Omit<CampaignSettings, "window">> & {
  /** null: no window any more. */
  readonly window?: CallWindow | null;
};
