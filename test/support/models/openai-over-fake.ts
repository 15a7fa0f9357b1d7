import type { LanguageModel } from "../../../application/ports/language-model.ts";
import { type MannersBook, mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { guardedFetch } from "../../../infrastructure/http/guarded-fetch.ts";
import { openAiModel } from "../../../infrastructure/models/openai/openai-model.ts";
import type { FakeAnswer } from "./fake-answer.ts";
import { type AskedModel, type FakeModelServer, fakeModelServer } from "./fake-model-server.ts";

export type OpenAiOverFake = {
  readonly model: LanguageModel;
  /** What was found out about the server, which is called `ours`. */
  readonly manners: MannersBook;
  readonly server: FakeModelServer;
  close(): Promise<void>;
};

export const KEY = "sk-secret-of-the-test";

/** The adapter as owners have it, over real HTTP. */
export async function openAiOverFake(
  answer: (asked: AskedModel, count: number) => FakeAnswer,
  cidrs: readonly string[] = ["127.0.0.0/8"],
  resolve: ResolveName = () => Promise.reject(new Error("no names here")),
): Promise<OpenAiOverFake> {
  const server = await fakeModelServer(answer);
  const limits = {
    connectMillis: 60_000,
    answerHeaderBytes: 16 * 1024,
    answerBytes: 2 * 1024 * 1024,
    keepAliveMillis: 30_000,
  };
  const manners = mannersBook();
  const way = guardedFetch({ policy: addressPolicy(cidrs), resolve, ca: undefined }, limits);
  return {
    model: openAiModel(
      { baseUrl: server.url, apiKey: KEY, fetch: way.fetch, manners, name: "ours" },
      "fake-1",
    ),
    manners,
    server,
    async close() {
      await way.close();
      await server.close();
    },
  };
}
