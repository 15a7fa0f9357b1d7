import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { createCampaign, newKey, startCampaign } from "./campaign-api.ts";
import type { Draft } from "./draft.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

type CreateButtonsProps = { readonly draft: Draft; readonly identity: string; readonly people: number };

export function CreateButtons({ draft, identity, people }: CreateButtonsProps) {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const queries = useQueryClient();
  // Pressed again after a cut line it finds the campaign that was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft is another campaign
  const key = useMemo(newKey, [identity]);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [madeId, setMadeId] = useState<string | null>(null);
  const create = async (isStarted: boolean) => {
    setBusy(true);
    setFault(null);
    try {
      const id = await createCampaign(draft, key);
      setMadeId(id);
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      if (isStarted) await startCampaign(id);
      await navigate({ to: "/campaigns/$campaignId", params: { campaignId: id } });
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  const isOff = busy || people === 0;
  const { number } = useFormat();
  const startsLater = draft.startAt !== "";
  return (
    <>
      <Button data-testid="create" disabled={isOff} onClick={() => create(false)}>
        {say(startsLater ? "report.create_later" : "report.create")}
      </Button>
      <Button look="strong" data-testid="create-and-start" disabled={isOff} onClick={() => create(true)}>
        {say(people === 1 ? "report.create_start_one" : "report.create_start", { people: number(people) })}
      </Button>
      <span role="status">{busy ? say("report.creating") : null}</span>
      {fault === null ? null : (
        <p role="alert" className={styles.fault}>
          {madeId === null ? null : `${say("report.made")} `}
          <ErrorText error={fault} />{" "}
          {madeId === null ? null : (
            <Link to="/campaigns/$campaignId" params={{ campaignId: madeId }}>
              {say("report.open")}
            </Link>
          )}
        </p>
      )}
    </>
  );
}
