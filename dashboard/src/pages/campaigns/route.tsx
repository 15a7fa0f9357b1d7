import { createLazyRoute } from "@tanstack/react-router";
import { Campaigns } from "./campaigns.tsx";

export const campaignsRoute = createLazyRoute("/campaigns")({ component: Campaigns });
