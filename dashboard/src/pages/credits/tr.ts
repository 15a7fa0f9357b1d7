import type { Texts } from "../../texts/en.ts";
import type { CreditsKey } from "./en.ts";

export const tr: Texts<CreditsKey> = {
  title: "Krediler",
  balance: "Bakiye",
  reserved: "Süren aramalar için ayrılan",
  available: "Kullanılabilir",
  limits: "Sınırlar",
  active: "Kullanılan hatlar",
  lines: "{limit} hattın {active} tanesi",
  pace: "Saniyede yeni arama",
  requests: "Saniyede istek",
  "requests.none": "Sınır yok",
  ledger: "Hareketler",
  "ledger.none": "Henüz hareket yok.",
  at: "Zaman",
  cause: "Tür",
  amount: "Tutar",
  call: "Arama ya da başvuru",
  "cause.top_up": "Eklendi",
  "cause.reserve": "Ayrıldı",
  "cause.release": "Serbest bırakıldı",
  "cause.charge": "Harcandı",
  add: "Kredi ekle",
  reference: "Başvuru",
  "reference.hint": "Aynı başvuru bir kez sayılır",
};
