import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { AssistantRecord } from "../../../../../contract/assistant.ts";
import type { CampaignRecord } from "../../../../../contract/campaign.ts";
import { campaignQuery } from "../../../api/campaigns.ts";
import { ApiFailure, patch } from "../../../api/request.ts";
import {
  type CallingDraft,
  type CampaignChanges,
  callingDraftOf,
  changedSettings,
  faultOfHours,
} from "../../../calling/calling-draft.ts";
import { CallingFields } from "../../../calling/calling-fields.tsx";
import { type LineDraft, LineFields } from "../../../calling/line-fields.tsx";
import { controlOf } from "../../../calling/plan-draft.ts";
import { Fault } from "../../../records/records.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useCommand } from "../../../records/use-command.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Dialog } from "../../../ui/controls.tsx";
import { assistantsQuery, limitsQuery, phoneNumbersQuery } from "../../campaign-new/campaign-api.ts";
import { Warnings } from "../../campaign-new/warnings.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./setup.module.css";

type EditProps = {
  readonly campaign: CampaignRecord;
  readonly hasOwnZones: boolean;
  readonly onClose: () => void;
};

type Warning = Parameters<typeof Warnings>[0]["warnings"][number];

/** What the service lets change while nobody is called; only what differs is sent. */
export function Edit({ campaign, hasOwnZones, onClose }: EditProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const queries = useQueryClient();
  const { data: limits } = useQuery(limitsQuery);
  const [before] = useState(() => callingDraftOf(campaign));
  const [draft, setDraft] = useState<CallingDraft>(before);
  const [line, setLine] = useState<LineDraft>(() => lineOf(campaign));
  const [isNewest, setNewest] = useState(false);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const { assistants, numbers } = useChoices();
  const newer = newerVersion(assistants, campaign, line);
  const { number } = useFormat();
  const { busy, fault, run } = useCommand();
  const faultOf = (field: string) =>
    fault instanceof ApiFailure
      ? fault.details.find(({ path }) => controlOf(path) === field)?.message
      : undefined;
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (faultOfHours(draft) !== null) return;
    const { queryKey } = campaignQuery(campaign.id);
    const again = newer !== null && isNewest ? { assistantId: line.assistantId } : {};
    const body = { ...changedSettings(before, draft), ...changedLine(campaign, line), ...again };
    const changed = await run(() => patch("/api/v1/campaigns/:id", { params: { id: campaign.id }, body }));
    if (changed === undefined) return;
    queries.setQueryData(queryKey, { campaign: changed.campaign, statistics: changed.statistics });
    const ofTexts = changed.warnings.filter(({ code }) => code.startsWith("placeholder_"));
    setWarnings(ofTexts);
    if (ofTexts.length === 0 || !isSaidAnew(body)) onClose();
  };
  return (
    <Dialog title={say("setup.edit")} onClose={onClose}>
      <form noValidate className={styles.form} onSubmit={save}>
        <Warnings warnings={warnings} lead={(field) => focusOn(field)} />
        <LineFields
          draft={line}
          change={(changed) => setLine((now) => ({ ...now, ...changed }))}
          faultOf={faultOf}
          assistants={assistants}
          numbers={numbers}
        />
        {newer === null ? null : (
          <Check
            label={say("setup.newest", { version: number(newer), has: number(campaign.assistantVersion) })}
            name="newest"
            checked={isNewest}
            onChange={({ target }) => setNewest(target.checked)}
          />
        )}
        <CallingFields
          draft={draft}
          change={(changed) => setDraft((now) => ({ ...now, ...changed }))}
          faultOf={faultOf}
          lines={limits?.maxConcurrentCalls}
          hasOwnZones={hasOwnZones}
          isChange
          hasStart={campaign.status === "PENDING"}
        />
        <p>{say("setup.from-now-on")}</p>
        <Fault error={fault} />
        <div className={styles.row}>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {frame("save")}
          </Button>
          <Button onClick={onClose}>{frame("dialog.cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What can be chosen now, as far as the key may know. */
function useChoices() {
  const may = useAllowed();
  const assistants = useQuery({ ...assistantsQuery, enabled: may("assistants:*") });
  const numbers = useQuery({ ...phoneNumbersQuery, enabled: may("phone-numbers:*") });
  return {
    assistants: (assistants.data ?? []).filter(({ publishedVersion }) => publishedVersion !== null),
    numbers: (numbers.data ?? []).filter(({ active }) => active),
  };
}

/** The texts as they were given. */
function lineOf({ name, assistantId, phoneNumberId, metadata }: CampaignRecord): LineDraft {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    name,
    assistantId,
    phoneNumberId,
    greetingMessage: text(metadata["greetingMessage"]),
    specialInstructions: text(metadata["specialInstructions"]),
  };
}

/** null: the campaign's assistant has not been published again since, or another one is chosen. */
function newerVersion(
  assistants: readonly AssistantRecord[],
  { assistantId, assistantVersion }: CampaignRecord,
  line: LineDraft,
): number | null {
  const published = assistants.find(({ id }) => id === assistantId)?.publishedVersion ?? null;
  return line.assistantId === assistantId && published !== null && published > assistantVersion
    ? published
    : null;
}

/** What differs; an empty text: the assistant's own, or none. */
function changedLine(campaign: CampaignRecord, line: LineDraft): CampaignChanges {
  const before = lineOf(campaign);
  const { name, assistantId, phoneNumberId, greetingMessage, specialInstructions } = line;
  return {
    ...(name === before.name ? {} : { name }),
    ...(assistantId === before.assistantId ? {} : { assistantId }),
    ...(phoneNumberId === before.phoneNumberId ? {} : { phoneNumberId }),
    ...(greetingMessage === before.greetingMessage ? {} : { greetingMessage: greetingMessage || null }),
    ...(specialInstructions === before.specialInstructions
      ? {}
      : { specialInstructions: specialInstructions || null }),
  };
}

const isSaidAnew = ({ assistantId, greetingMessage, specialInstructions }: CampaignChanges) =>
  [assistantId, greetingMessage, specialInstructions].some((value) => value !== undefined);

function focusOn(field: string): void {
  document.querySelector<HTMLElement>(`dialog [name="${CSS.escape(field)}"]`)?.focus();
}
