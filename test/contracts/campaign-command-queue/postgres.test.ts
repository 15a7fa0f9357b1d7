import { describe } from "vitest";
import { createPostgresCampaignCommandQueue } from "../../../infrastructure/postgres/campaign-command-queue.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { workDatabase } from "../../support/work-database.ts";
import { queueContract } from "./queue-contract.ts";

describe("in one process", () => {
  queueContract(async () => {
    const { pool, notifications, drop } = await workDatabase();
    const queue = createPostgresCampaignCommandQueue(pool, notifications);
    return { sender: queue, owner: queue, pass: async () => undefined, end: drop };
  });
});

describe("between two processes", () => {
  queueContract(async () => {
    const { pool, notifications, drop } = await workDatabase();
    const others = createNotifications(pool, silentLogger);
    await others.start();
    return {
      sender: createPostgresCampaignCommandQueue(pool, notifications),
      owner: createPostgresCampaignCommandQueue(pool, others),
      pass: async () => undefined,
      end: async () => {
        await others.close();
        await drop();
      },
    };
  });
});
