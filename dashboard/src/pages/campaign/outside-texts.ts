import type { Texts } from "../../texts/en.ts";

/** What the first page says of a campaign, too: it loads no more of this page's texts. */
const en = {
  "status.PENDING": "Not started",
  "status.RUNNING": "Running",
  "status.PAUSED": "Paused",
  "status.COMPLETED": "Completed",
  "status.CANCELLED": "Cancelled",
  "pause.manual": "by hand",
  "pause.phone_number_inactive": "the phone number is not active",
  "pause.assistant_unpublished": "the assistant is not published",
  "pause.outside_call_window": "outside calling hours",
  "pause.insufficient_credits": "not enough credits",
  "pause.carrier_unavailable": "the carrier does not answer",
  "pause.assistant_unavailable": "the assistant fails",
  "pause.policy_refuses_all": "the policy allows nobody who is left",
  "pause.list_outdated": "a list of numbers that are not called is too old",
  "pause.eligibility_unavailable": "whoever says who may be called does not answer",
  life: "What happened to all people since the start",
} as const;

const tr: Texts<keyof typeof en> = {
  "status.PENDING": "Başlamadı",
  "status.RUNNING": "Çalışıyor",
  "status.PAUSED": "Duraklatıldı",
  "status.COMPLETED": "Tamamlandı",
  "status.CANCELLED": "İptal edildi",
  "pause.manual": "elle",
  "pause.phone_number_inactive": "hat etkin değil",
  "pause.assistant_unpublished": "asistan yayında değil",
  "pause.outside_call_window": "arama saatleri dışında",
  "pause.insufficient_credits": "kredi yetersiz",
  "pause.carrier_unavailable": "operatör yanıt vermiyor",
  "pause.assistant_unavailable": "asistan hata veriyor",
  "pause.policy_refuses_all": "arama kuralları kalan kimseye izin vermiyor",
  "pause.list_outdated": "aranmayacak numaraların bir listesi fazla eski",
  "pause.eligibility_unavailable": "kimin aranabileceğini söyleyen adres yanıt vermiyor",
  life: "Başlangıçtan beri bütün kişilere ne oldu",
};

export const OUTSIDE_TEXTS = { en, tr };
