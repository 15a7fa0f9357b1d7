import { createMemoryDirectory } from "../../../simulation/memory/directory.ts";
import { directoryContract } from "./directory-contract.ts";

directoryContract(async (plan) => {
  const directory = createMemoryDirectory();
  return {
    directory,
    makeOwner: async (owner) => directory.setOwner(owner, { active: true, plan }),
    makeInactive: async (owner) => directory.setOwner(owner, { active: false, plan }),
    makeNumber: async (owner, id, phoneNumber) =>
      directory.setPhoneNumber(owner, id, { phoneNumber, active: true }),
    switchOff: async (owner, id) => {
      const number = await directory.phoneNumber(owner, id);
      directory.setPhoneNumber(owner, id, number === null ? null : { ...number, active: false });
    },
    publishNew: async (owner, version) => directory.publish(owner, version),
    makeTool: async (owner, toolId, { sampleAnswer: _ofRehearsals, ...entry }) =>
      directory.setTool(owner, { ...entry, toolId }),
    renameTool: async (owner, toolId, name) => {
      for (const tool of await directory.tools(owner, [toolId])) directory.setTool(owner, { ...tool, name });
    },
    unpublish: async (owner, id) => directory.unpublish(owner, id),
    deleteAssistant: async (owner, id) => directory.deleteAssistant(owner, id),
    suppress: async (owner, number) => directory.suppress(owner, number),
    unsuppress: async (owner, number) => directory.unsuppress(owner, number),
    end: async () => undefined,
  };
});
