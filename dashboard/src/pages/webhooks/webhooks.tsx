import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { Page, type PageState } from "../../ui/page.tsx";
import { en } from "./en.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { EndpointBadge, EndpointState } from "./endpoint-state.tsx";
import { PastedRequest } from "./pasted-request.tsx";
import { SecretPanel } from "./secret-panel.tsx";
import { Snippets } from "./snippets-panel.tsx";
import { TestTool } from "./test-tool.tsx";
import { tr } from "./tr.ts";
import { secretQuery, webhookQuery } from "./webhook-api.ts";

const TEXTS = { en, tr };

/** The endpoint, its deliveries, and everything that a receiver's author needs. */
export function Webhooks() {
  const say = useTexts(TEXTS);
  const queries = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  const webhook = useQuery(webhookQuery);
  const endpoint = webhook.data ?? null;
  const secret = useQuery({ ...secretQuery, enabled: endpoint !== null });
  const saved = async () => {
    await queries.invalidateQueries({ queryKey: webhookQuery.queryKey });
    setSaved(true);
  };
  const form = <EndpointForm endpoint={endpoint} isSaved={isSaved} onSaved={saved} />;
  return (
    <Page
      name="webhooks"
      title={say("title")}
      status={endpoint === null ? null : <EndpointBadge status={endpoint.status} />}
      state={stateOf(webhook)}
      failure={webhook.error}
      onRetry={() => void webhook.refetch()}
      empty={<p>{say("empty.about")}</p>}
      below={form}
    >
      {endpoint === null ? null : (
        <>
          <div className={layout.columns}>
            {form}
            <EndpointState endpoint={endpoint} />
            <SecretPanel secret={secret.data ?? null} failure={secret.error} />
          </div>
          <TestTool secret={secret.data ?? null} />
          <PastedRequest secret={secret.data ?? null} />
          <Snippets />
        </>
      )}
    </Page>
  );
}

/** The last data stays visible while the service is unavailable. */
function stateOf(webhook: { readonly data: unknown; readonly isError: boolean }): PageState {
  if (webhook.data === undefined) return webhook.isError ? "error" : "loading";
  return webhook.data === null ? "empty" : "ready";
}
