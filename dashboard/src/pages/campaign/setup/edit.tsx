import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CampaignRecord } from "../../../../../contract/campaign.ts";
import { campaignQuery } from "../../../api/campaigns.ts";
import { ApiFailure, patch } from "../../../api/request.ts";
import {
  type CallingDraft,
  callingDraftOf,
  changedSettings,
  faultOfHours,
} from "../../../calling/calling-draft.ts";
import { CallingFields } from "../../../calling/calling-fields.tsx";
import { Fault } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Dialog, Field } from "../../../ui/controls.tsx";
import { limitsQuery } from "../../campaign-new/campaign-api.ts";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./setup.module.css";

type EditProps = {
  readonly campaign: CampaignRecord;
  readonly hasOwnZones: boolean;
  readonly onClose: () => void;
};

/** What the service lets change while nobody is called; only what differs is sent. */
export function Edit({ campaign, hasOwnZones, onClose }: EditProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const queries = useQueryClient();
  const { data: limits } = useQuery(limitsQuery);
  const [before] = useState(() => callingDraftOf(campaign));
  const [draft, setDraft] = useState<CallingDraft>(before);
  const [name, setName] = useState(campaign.name);
  const { busy, fault, run } = useCommand();
  const faultOf = (field: string) =>
    fault instanceof ApiFailure ? fault.details.find(({ path }) => path[0] === field)?.message : undefined;
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (faultOfHours(draft) !== null) return;
    const { queryKey } = campaignQuery(campaign.id);
    const body = { ...changedSettings(before, draft), ...(name === campaign.name ? {} : { name }) };
    const changed = await run(() => patch("/api/v1/campaigns/:id", { params: { id: campaign.id }, body }));
    if (changed === undefined) return;
    queries.setQueryData(queryKey, changed);
    onClose();
  };
  return (
    <Dialog title={say("setup.edit")} onClose={onClose}>
      <form noValidate className={styles.form} onSubmit={save}>
        <Field
          label={say("column.name")}
          name="name"
          dir="auto"
          maxLength={255}
          value={name}
          fault={faultOf("name")}
          onChange={({ target }) => setName(target.value)}
        />
        <CallingFields
          draft={draft}
          change={(changed) => setDraft((now) => ({ ...now, ...changed }))}
          faultOf={faultOf}
          lines={limits?.maxConcurrentCalls}
          hasOwnZones={hasOwnZones}
          isChange
          hasStart={campaign.status === "PENDING"}
        />
        <p>{say("setup.fixed")}</p>
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
