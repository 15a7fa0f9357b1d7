import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../../api/request.ts";
import { ScriptedModel } from "../../records/scripted-model.tsx";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { ASSISTANT, PATH, TEXTS } from "../assistants/texts.ts";
import { Commands } from "./commands.tsx";
import { DraftForm } from "./draft-form.tsx";
import { Live } from "./live.tsx";
import { UsedBy } from "./used-by.tsx";
import { Versions } from "./versions.tsx";

/** The draft next to the published version. */
export function Assistant() {
  const say = useTexts(TEXTS);
  const { id = "" } = useParams({ strict: false });
  const assistant = useQuery({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => get(ASSISTANT, { params: { id }, signal }),
  });
  const versions = useList(`${ASSISTANT}/versions`, { params: { id }, query: ALL });
  const { data } = assistant;
  const live = versions.rows.find(({ version }) => version === data?.publishedVersion) ?? null;
  const retry = () => void Promise.all([assistant.refetch(), versions.refetch()]);
  return (
    <Page
      name="assistant"
      title={
        data === undefined ? (
          say("title")
        ) : (
          <span data-user-text="" dir="auto">
            {data.name}
          </span>
        )
      }
      state={stateOf({
        isPending: assistant.isPending || versions.isPending,
        isError: assistant.isError || versions.isError,
        isEmpty: false,
      })}
      failure={assistant.error ?? versions.error}
      onRetry={retry}
      actions={data === undefined ? undefined : <Commands assistant={data} live={live} />}
    >
      {data === undefined ? null : (
        <>
          <Live assistant={data} live={live} />
          <DraftForm key={data.updatedAt} assistant={data} />
          {(live ?? data).modelConnectionId === null ? <ScriptedModel /> : null}
          <Versions versions={versions.rows} live={data.publishedVersion} />
          <UsedBy assistantId={id} />
        </>
      )}
    </Page>
  );
}
