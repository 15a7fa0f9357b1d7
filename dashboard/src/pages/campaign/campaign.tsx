import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { memo, useCallback } from "react";
import type { WholeCampaign } from "../../../../contract/campaign.ts";
import { campaignQuery } from "../../api/campaigns.ts";
import { allows, sessionQuery } from "../../api/session.ts";
import { useTexts } from "../../texts/language.tsx";
import { PLAIN_LINK } from "../../ui/controls.tsx";
import { Failure, Page, stateOf } from "../../ui/page.tsx";
import { type CancelBody, type Command, Commands, ExportLink, useCommand } from "./commands.tsx";
import { Looking } from "./looking.tsx";
import { Note } from "./note.tsx";
import { type CampaignSearch, campaignSearch } from "./search.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useStory } from "./story/use-story.ts";

const route = getRouteApi("/campaigns/$campaignId");

/** A campaign at any moment of its life. */
export function CampaignPage() {
  const { campaignId: id } = route.useParams();
  return <OneCampaign key={id} id={id} />;
}

function OneCampaign({ id }: { readonly id: string }) {
  const search = route.useSearch();
  const change = useChange();
  const record = useQuery(campaignQuery(id));
  const followed = useStory(id);
  const command = useCommand(id);
  const frame = useTexts();
  const data = record.data === undefined ? undefined : command.seen(record.data);
  const failure =
    record.data === undefined ? record.error : followed.story === null ? followed.failure : null;
  const state = stateOf({
    isPending: failure === null && (data === undefined || followed.story === null),
    isError: failure !== null,
    isEmpty: false,
  });
  const { give: send } = command;
  const give = useCallback((name: Command, body: CancelBody = {}) => send({ command: name, body }), [send]);
  return (
    <Page
      name="campaign"
      title={data === undefined ? frame("nav.campaigns") : <bdi data-user-text="">{data.campaign.name}</bdi>}
      crumb={<Link to="/campaigns">{frame("nav.campaigns")}</Link>}
      status={
        data === undefined || search.at !== undefined ? null : (
          <>
            <StatusBadge status={data.campaign.status} pauseReason={data.campaign.pauseReason} />
            <Note record={data} />
          </>
        )
      }
      state={state}
      failure={failure}
      onRetry={() => {
        void record.refetch();
        followed.retry();
      }}
      actions={data === undefined ? undefined : <Actions id={id} data={data} search={search} give={give} />}
    >
      {command.error === null ? null : <Failure error={command.error} />}
      {data === undefined || followed.story === null ? null : (
        <Looking
          record={data}
          story={followed.story}
          contacts={followed.contacts}
          areAll={followed.areAll}
          search={search}
          change={change}
          give={give}
        />
      )}
    </Page>
  );
}

/** Changes the state in the URL; an empty text removes a field. */
function useChange(): (search: CampaignSearch) => void {
  const navigate = route.useNavigate();
  return useCallback(
    (changed) =>
      void navigate({
        search: (before) => campaignSearch({ ...before, ...changed }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

type ActionsProps = {
  readonly id: string;
  readonly data: WholeCampaign;
  readonly search: CampaignSearch;
  readonly give: (command: Command, body?: CancelBody) => void;
};

/** Not rendered again for each event, because none of them changes it. */
const Actions = memo(function Actions({ id, data, search, give }: ActionsProps) {
  const session = useQuery(sessionQuery).data ?? null;
  const isPast = search.at !== undefined;
  return session !== null && allows(session, "campaigns:write") ? (
    <Commands id={id} status={data.campaign.status} isPast={isPast} give={give} />
  ) : (
    <ExportLink id={id} className={PLAIN_LINK} />
  );
});
