import { useQuery } from "@tanstack/react-query";
import { REAL_MODEL, SCRIPTED_MODEL } from "../../../domain/conversation/script.ts";
import { get } from "../api/request.ts";
import { useTexts } from "../texts/language.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Muted, Row } from "./records.tsx";
import { useAllowed } from "./use-allowed.ts";
import { useRefresh } from "./use-refresh.ts";

/**
 * Says that the scripted model speaks for assistants without a connection of their own, with the line that
 * gives a real one; nothing where a real one speaks.
 */
export function ScriptedModel() {
  const allowed = useAllowed();
  const { data } = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => get("/api/v1/account", { signal }),
    enabled: allowed("account:read"),
  });
  return data?.defaultModel === SCRIPTED_MODEL ? <Notice sentence="scripted.speaks" /> : null;
}

/** The same of one call, once a model has answered on it; while it is live also before. */
export function ScriptedCall({
  callId,
  isLive = false,
}: {
  readonly callId: string;
  readonly isLive?: boolean;
}) {
  const allowed = useAllowed();
  const path = `/api/v1/calls/${callId}`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get("/api/v1/calls/:callId", { params: { callId }, signal }),
    enabled: allowed("calls:read"),
  });
  useRefresh(path, ({ stream, data: told }) => told["callId"] === callId || stream.endsWith(callId));
  const model = data?.conversation?.model ?? null;
  if (model === null) return isLive ? <ScriptedModel /> : null;
  return model === SCRIPTED_MODEL ? <Notice sentence="scripted.spoke" /> : null;
}

function Notice({ sentence }: { readonly sentence: "scripted.spoke" | "scripted.speaks" }) {
  const say = useTexts();
  return (
    <div style={{ display: "grid", gap: 6 }} data-testid="scripted-model" data-value={sentence}>
      <p>
        <Muted>{say(sentence)}</Muted>
      </p>
      <Row>
        <CodeBlock label={say("scripted.line")}>{REAL_MODEL}</CodeBlock>
        <CopyButton text={REAL_MODEL} label={say("scripted.line")} />
      </Row>
    </div>
  );
}
