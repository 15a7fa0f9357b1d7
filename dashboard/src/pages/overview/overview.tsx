import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "../../api/request.ts";
import { Row } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Attention } from "./attention.tsx";
import { CampaignCards } from "./campaign-cards.tsx";
import { Credits, Lines, Today } from "./figures.tsx";
import styles from "./overview.module.css";
import { CAMPAIGNS, openCampaignsQuery, SELDOM } from "./overview-api.ts";
import { TEXTS } from "./texts.ts";

/** What needs attention, and what is running: one grid. */
export function Overview() {
  const say = useTexts(TEXTS);
  const allowed = useAllowed();
  const [seesCampaigns, seesCalls] = [allowed("campaigns:read"), allowed("calls:read")];
  const campaigns = useQuery(openCampaignsQuery(seesCampaigns));
  const calls = useQuery({
    queryKey: ["any-call"],
    queryFn: ({ signal }) => get("/api/v1/calls", { query: { limit: 1 }, signal }),
    enabled: seesCalls,
  });
  useRefresh(CAMPAIGNS, ({ stream }) => stream.startsWith("campaign-"), SELDOM);
  useRefresh("any-call", ({ type }) => type === "CallRequested", SELDOM);
  const asked = [seesCampaigns ? campaigns : null, seesCalls ? calls : null].filter((each) => each !== null);
  const isBlind = asked.length === 0 && !allowed("account:read") && !allowed("webhooks:*");
  const isNew = asked.length === 2 && campaigns.data?.hasAny === false && calls.data?.length === 0;
  const { running = [], paused = [] } = campaigns.data ?? {};
  return (
    <Page
      name="overview"
      title={say("title")}
      state={stateOf({
        isPending: asked.some(({ isPending }) => isPending),
        isError: asked.some(({ isError }) => isError),
        isEmpty: isBlind || isNew,
      })}
      failure={campaigns.error ?? calls.error}
      onRetry={() => void Promise.all([campaigns.refetch(), calls.refetch()])}
      empty={isBlind ? <p>{say("empty.none")}</p> : <Begin />}
    >
      <div className={styles.tiles}>
        <div className={styles.twice}>
          <Attention stopped={paused.filter(({ nextWindowOpensAt }) => nextWindowOpensAt === null)} />
        </div>
        {allowed("account:read") ? <Lines /> : null}
        {allowed("account:read") ? <Credits /> : null}
        {seesCalls ? (
          <div className={styles.twice}>
            <Today />
          </div>
        ) : null}
        <CampaignCards
          campaigns={[...running, ...paused.filter(({ nextWindowOpensAt }) => nextWindowOpensAt !== null)]}
        />
      </div>
    </Page>
  );
}

function Begin() {
  const say = useTexts(TEXTS);
  const allowed = useAllowed();
  return (
    <>
      <p>{say("empty")}</p>
      <Row>
        {allowed("calls:write") ? <Link to="/welcome">{say("first")}</Link> : null}
        {allowed("campaigns:write") ? <Link to="/campaigns/new">{say("new")}</Link> : null}
      </Row>
    </>
  );
}
