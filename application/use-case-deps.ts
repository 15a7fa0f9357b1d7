import type { Aggregates } from "./log/aggregates.ts";
import type { ModelTokensDeps } from "./model-tokens.ts";
import type { Admission } from "./ports/admission.ts";
import type { Clock } from "./ports/clock.ts";
import type { Directory } from "./ports/directory.ts";
import type { Ids } from "./ports/ids.ts";
import type { Imports } from "./ports/imports.ts";
import type { PinnedConversations } from "./ports/pinned-conversations.ts";
import type { Policies } from "./ports/policies.ts";
import type { SuppressionLists } from "./ports/suppression-lists.ts";
import type { EngineSettings } from "./settings.ts";

/** What every use case needs; made by `createEngine`. */
export type UseCaseDeps = {
  readonly aggregates: Aggregates;
  readonly admission: Admission;
  readonly directory: Directory;
  readonly policies: Policies;
  readonly lists: Pick<SuppressionLists, "standing">;
  readonly pinnedConversations: PinnedConversations;
  readonly imports: Imports;
  readonly tokensOfDay?: NonNullable<ModelTokensDeps["tokensOfDay"]>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: EngineSettings;
};

/** How use cases are made callable by those who ask: with their first argument, `deps`, filled in. */
export type Bind<Deps> = <Rest extends readonly unknown[], Answer>(
  useCase: (deps: Deps, ...rest: Rest) => Promise<Answer>,
) => (...rest: Rest) => Promise<Answer>;
