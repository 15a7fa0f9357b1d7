import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { get } from "../../api/request.ts";
import { asksOf, fieldsOf } from "../../records/assistant.ts";
import { Beside } from "../../records/records.tsx";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { LiveBadge } from "../assistants/live-badge.tsx";
import { ASSISTANT, PATH, TEXTS } from "../assistants/texts.ts";
import { Commands } from "./commands.tsx";
import { DraftForm } from "./draft-form.tsx";
import { Live } from "./live.tsx";
import { Outcome } from "./outcome/outcome.tsx";
import { TryIt } from "./try-it.tsx";
import { UsedBy } from "./used-by.tsx";
import { Versions } from "./versions.tsx";

/** What it is told, its voice, and a call from it, side by side; below them what is published. */
export function Assistant() {
  const say = useTexts(TEXTS);
  const frame = useTexts();
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
      crumb={<Link to="/assistants">{frame("nav.assistants")}</Link>}
      status={data === undefined ? null : <LiveBadge version={data.publishedVersion} />}
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
          <Beside isShort facts={<TryIt assistant={data} live={live} />}>
            <DraftForm
              key={JSON.stringify(fieldsOf(data).map(({ name }) => data[name]))}
              assistant={data}
              live={live}
            />
            <Live assistant={data} live={live} />
          </Beside>
          {asksOf(data) ? <Outcome assistant={data} /> : null}
          <Versions versions={versions.rows} live={data.publishedVersion} />
          <UsedBy assistantId={id} />
        </>
      )}
    </Page>
  );
}
