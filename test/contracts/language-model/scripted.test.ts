import { scriptedModel } from "../../../simulation/model/scripted-model.ts";
import { languageModelContract } from "./language-model-contract.ts";

languageModelContract("scripted", async () => ({
  model: scriptedModel("contract"),
  name: "scripted",
  close: async () => undefined,
}));
