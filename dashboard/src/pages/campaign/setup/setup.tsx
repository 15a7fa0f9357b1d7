import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { CampaignRecord } from "../../../../../contract/campaign.ts";
import { get } from "../../../api/request.ts";
import { callingDraftOf, RETRIED_ENDS } from "../../../calling/calling-draft.ts";
import { useHours } from "../../../calling/use-hours.ts";
import { Facts, UserText } from "../../../records/records.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button } from "../../../ui/controls.tsx";
import { ShortId } from "../../../ui/short-id.tsx";
import { EndReason } from "../../calls/words.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import { Edit } from "./edit.tsx";
import styles from "./setup.module.css";

type SetupProps = {
  readonly campaign: CampaignRecord;
  /** Some people have a zone of their own. */
  readonly hasOwnZones: boolean;
};

/** Who speaks, what is said, and when and how fast people are called: a sentence, and all of it below. */
export function Setup({ campaign, hasOwnZones }: SetupProps) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const hours = useHours();
  const assistant = useAssistant(campaign.assistantId);
  const from = useNumber(campaign.phoneNumberId);
  const [isEditing, edit] = useState(false);
  const mayWrite = useAllowed()("campaigns:write");
  const draft = callingDraftOf(campaign);
  const isPending = campaign.status === "PENDING";
  const isEditable = isPending || campaign.status === "PAUSED";
  const spoken = say("setup.who", { version: number(campaign.assistantVersion) });
  return (
    <details className={styles.setup} data-testid="setup" open={isPending ? true : undefined}>
      <summary>
        <span data-user-text="" dir="auto">
          {assistant ?? say("setup.assistant")}
        </span>
        {", "}
        {spoken} ·{" "}
        <span data-user-text="" dir="ltr">
          {from ?? say("setup.number")}
        </span>{" "}
        · {hours(draft, hasOwnZones)}
      </summary>
      <div className={styles.body}>
        <Said campaign={campaign} />
        <Facts
          of={[
            [say("setup.lines"), <Lines key="lines" campaign={campaign} />],
            [say("setup.again"), <Again key="again" campaign={campaign} />],
            [say("setup.id"), <ShortId key="id" id={campaign.id} />],
          ]}
        />
        {mayWrite ? (
          <div className={styles.edit}>
            <Button data-testid="edit" disabled={!isEditable} onClick={() => edit(true)}>
              {say("setup.edit")}
            </Button>
            <span>{say(isEditable ? "setup.editable" : "setup.not-editable")}</span>
          </div>
        ) : null}
      </div>
      {isEditing ? <Edit campaign={campaign} hasOwnZones={hasOwnZones} onClose={() => edit(false)} /> : null}
    </details>
  );
}

/** Both texts as they were given, with their {{keys}}. */
function Said({ campaign: { metadata } }: { readonly campaign: CampaignRecord }) {
  const say = useTexts({ en, tr });
  const text = (name: string): ReactNode => {
    const value = metadata[name];
    return typeof value === "string" && value !== "" ? <UserText>{value}</UserText> : say("setup.assistants");
  };
  return (
    <Facts
      of={[
        [say("setup.greeting"), text("greetingMessage")],
        [say("setup.instructions"), text("specialInstructions")],
      ]}
    />
  );
}

function Lines({ campaign }: { readonly campaign: CampaignRecord }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const { maxConcurrentCalls: most, effectiveMaxConcurrentCalls: effective } = campaign;
  return say(most === null ? "setup.lines-of-plan" : "setup.lines-most", { lines: number(effective) });
}

const RETRIES = 3;
const INTERVAL_MINUTES = 5;

function Again({ campaign }: { readonly campaign: CampaignRecord }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const { retryOn, retryPlan, maxRetries, retryIntervalMins } = campaign;
  if (retryOn.length === 0) return say("setup.never-again");
  const budget = {
    retries: number(maxRetries ?? RETRIES),
    minutes: number(retryIntervalMins ?? INTERVAL_MINUTES),
  };
  const isAny = RETRIED_ENDS.every((end) => retryOn.includes(end));
  return (
    <>
      {say(isAny ? "setup.however" : "setup.retries", budget)} {isAny ? null : <Ends of={retryOn} />}
      <Plan plan={retryPlan} />
    </>
  );
}

function Ends({ of }: { readonly of: CampaignRecord["retryOn"] }) {
  return (
    <span className={styles.ends}>
      {of.map((end) => (
        <EndReason key={end} endReason={end} />
      ))}
    </span>
  );
}

/** Each row of the retry plan in words; nothing without one. */
function Plan({ plan }: { readonly plan: CampaignRecord["retryPlan"] }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  if (plan.length === 0) return null;
  return (
    <ul className={styles.plan} data-testid="plan">
      {plan.map(({ endReasons, afterMins, sameDay }) => (
        <li key={endReasons.join()}>
          <Ends of={endReasons} />:{" "}
          {say(sameDay ? "setup.plan" : "setup.plan.later-day", {
            minutes: afterMins
              .map((each) => number(each))
              .reduce((first, next) => say("setup.plan.then", { first, next })),
          })}
        </li>
      ))}
    </ul>
  );
}

/** Its name; null: not known (yet), or not for this key. */
function useAssistant(id: string): string | null {
  const enabled = useAllowed()("assistants:*");
  const { data } = useQuery({
    queryKey: ["/api/v1/assistants", "name", id],
    queryFn: ({ signal }) => get("/api/v1/assistants/:id", { params: { id }, signal }),
    enabled,
  });
  return data?.name ?? null;
}

function useNumber(id: string): string | null {
  const enabled = useAllowed()("phone-numbers:*");
  const { data } = useQuery({
    queryKey: ["/api/v1/phone-numbers", "name", id],
    queryFn: ({ signal }) => get("/api/v1/phone-numbers/:id", { params: { id }, signal }),
    enabled,
  });
  if (data === undefined) return null;
  return data.label === null ? data.phoneNumber : `${data.label} ${data.phoneNumber}`;
}
