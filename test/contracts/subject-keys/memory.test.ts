import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { subjectKeysContract } from "./subject-keys-contract.ts";

subjectKeysContract(async () => {
  const keys = createMemorySubjectKeys();
  return {
    keys,
    admit: async (subject) => {
      const drawn = keys.draw(subject, "usr_1");
      keys.remember([drawn]);
      return drawn.key;
    },
    erase: async (subject) => keys.erase(subject),
    lose: async (subject) => keys.lose(subject),
    end: async () => undefined,
  };
});
