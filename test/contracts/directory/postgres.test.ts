import { systemIds } from "../../../infrastructure/ids.ts";
import { configurationWorld } from "../configuration/configuration-world.ts";
import { directoryContract } from "./directory-contract.ts";

directoryContract(async (plan) => {
  const { directory, configuration, end } = await configurationWorld();
  const { users, phoneNumbers, assistants, tools, suppressions } = configuration;
  return {
    directory,
    end,
    makeOwner: async (id) => {
      await users.create({ id, apiKeyId: systemIds.next("key"), name: "Ada", plan, credits: 0 });
    },
    makeInactive: async (id) => {
      await users.change(id, { active: false });
    },
    makeNumber: async (owner, id, phoneNumber) => {
      await phoneNumbers.create(owner, id, {
        phoneNumber,
        label: null,
        active: true,
        carrier: null,
        connectionId: null,
        shared: false,
      });
    },
    switchOff: async (owner, id) => {
      await phoneNumbers.change(owner, id, { active: false });
    },
    publishNew: async (owner, { assistantId, version: _version, ...draft }) => {
      await assistants.create(owner, assistantId, draft);
      await assistants.publish(owner, assistantId);
    },
    makeTool: async (owner, id, draft) => {
      await tools.create(owner, id, draft);
    },
    renameTool: async (owner, id, name) => {
      await tools.change(owner, id, { name });
    },
    unpublish: async (owner, id) => {
      await assistants.unpublish(owner, id);
    },
    deleteAssistant: async (owner, id) => {
      await assistants.delete(owner, id);
    },
    suppress: async (owner, number) => {
      await suppressions.add(owner, number, null, "key_1");
    },
    unsuppress: async (owner, number) => {
      await suppressions.takeOff(owner, number, "key_1", []);
    },
  };
});
