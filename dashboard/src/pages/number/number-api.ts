import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api/request.ts";

export const NUMBER = "number";

/** In the reader's language, because the answer has sentences. */
export const numberQuery = (phoneNumber: string, language: string) =>
  queryOptions({
    queryKey: [NUMBER, phoneNumber, language],
    queryFn: ({ signal }) => {
      const headers = { "Accept-Language": language };
      return get("/api/v1/numbers/:phoneNumber", { params: { phoneNumber }, headers, signal });
    },
  });
