import { MAX_SUPPRESSION_LISTS } from "../../application/ports/configuration/suppression-lists.ts";
import { suppressionListRoutes } from "../../contract/suppression-list.ts";
import { given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { parseId } from "../ids.ts";
import { changed, deleted, listed, made, shown } from "../records.ts";
import { of } from "../route.ts";

const lists = { list: "suppression-lists", parse: (text: string) => parseId("spl", text) };

/** Lists beside the do-not-call list, without their numbers (docs/api.md §3). */
export function registerSuppressionLists(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerWriting(api, deps);
}

function registerReading(api: Api, { configuration: { suppressionLists } }: ApiDeps): void {
  api.route({
    ...of(suppressionListRoutes.listSuppressionLists),
    handler: (request) =>
      listed(lists, request.query, (page) => suppressionLists.list(callerOf(request).owner, page)),
  });
  api.route({
    ...of(suppressionListRoutes.getSuppressionList),
    handler: (request) =>
      shown("spl", request.params.id, (id) => suppressionLists.get(callerOf(request).owner, id)),
  });
}

function registerWriting(api: Api, deps: ApiDeps): void {
  const { suppressionLists } = deps.configuration;
  api.route({
    ...of(suppressionListRoutes.createSuppressionList),
    handler: (request, reply) =>
      made(deps, request, reply, ["spl", "suppressionListId"], async (id) => {
        const { active = true, ...draft } = request.body;
        const { owner, actor } = callerOf(request);
        const created = await suppressionLists.create(owner, id, { ...draft, active }, actor);
        if (created === null)
          throw new ApiError("CONFLICT", `There are ${MAX_SUPPRESSION_LISTS} lists, which is the most`);
        return created.value;
      }),
  });
  api.route({
    ...of(suppressionListRoutes.changeSuppressionList),
    handler: (request, reply) =>
      changed(deps, reply, "spl", request.params.id, async (id) => {
        const { owner, actor } = callerOf(request);
        const saved = await suppressionLists.change(owner, id, given(request.body), actor);
        if (saved.saved) return saved.value;
        if (saved.reason === "kind") throw new ApiError("LIST_IMMUTABLE", "The kind of a list never changes");
        if (saved.reason === "default") throw alwaysThere();
        return null;
      }),
  });
  api.route({
    ...of(suppressionListRoutes.deleteSuppressionList),
    handler: (request, reply) =>
      deleted(deps, reply, "spl", request.params.id, async (id) => {
        const { owner, actor } = callerOf(request);
        const deletion = await suppressionLists.delete(owner, id, actor);
        if (!deletion.saved && deletion.reason === "default") throw alwaysThere();
        return deletion.saved;
      }),
  });
}

const alwaysThere = () => new ApiError("CONFLICT", "The do-not-call list is always there, and always active");
