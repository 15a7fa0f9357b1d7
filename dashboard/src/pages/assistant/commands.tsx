import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { post, remove } from "../../api/request.ts";
import { type AssistantDraft, differences } from "../../records/assistant.ts";
import { Confirm } from "../../records/confirm.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, PLAIN_LINK } from "../../ui/controls.tsx";
import { ASSISTANT, PATH, TEXTS } from "../assistants/texts.ts";
import { Differences } from "./live.tsx";

type Asked = "publish" | "unpublish" | "remove";

/** Publish shows what will change for calls; each command asks for confirmation. */
export function Commands({
  assistant,
  live,
}: {
  readonly assistant: AssistantRecord;
  readonly live: AssistantDraft | null;
}) {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const command = useCommand(PATH, `${PATH}/${assistant.id}/versions`);
  const { id } = assistant;
  const work = {
    publish: () => post(`${ASSISTANT}/publish`, { params: { id } }),
    unpublish: () => post(`${ASSISTANT}/unpublish`, { params: { id } }),
  };
  const confirmed = async (what: Asked) => {
    if (what !== "remove") {
      if ((await command.run(work[what])) !== undefined) setAsked(null);
      return;
    }
    await command.run(async () => {
      await remove(ASSISTANT, { params: { id } });
      await navigate({ to: "/assistants" });
    });
  };
  const values = { name: assistant.name, version: assistant.versions + 1 };
  const isSame = live !== null && differences(assistant, live).length === 0;
  return (
    <>
      <Link
        to="/assistants/$id/rehearsal"
        params={{ id }}
        className={PLAIN_LINK}
        data-testid="open-rehearsal"
      >
        {say("rehearse")}
      </Link>
      <Button look={isSame ? "plain" : "strong"} data-testid="publish" onClick={() => setAsked("publish")}>
        {say("publish")}
      </Button>
      {assistant.publishedVersion === null ? null : (
        <Button data-testid="unpublish" onClick={() => setAsked("unpublish")}>
          {say("unpublish")}
        </Button>
      )}
      <Button look="danger" data-testid="remove" onClick={() => setAsked("remove")}>
        {say("remove")}
      </Button>
      {asked === null ? null : (
        <Confirm
          title={say(`${asked}.title`, values)}
          action={say(asked)}
          look={asked === "publish" ? "strong" : "grave"}
          command={command}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{say(`${asked}.told`)}</p>
          {asked === "publish" && assistant.publishNeedsRehearsal ? (
            <p data-testid="needs-rehearsal">{say("publish.needs")}</p>
          ) : null}
          {asked === "publish" && isSame ? <p>{say("publish.none")}</p> : null}
          {asked === "publish" && !isSame ? <Differences assistant={assistant} live={live} /> : null}
        </Confirm>
      )}
    </>
  );
}
