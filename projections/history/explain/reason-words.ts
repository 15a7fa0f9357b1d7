import type { Language } from "../../../contract/campaign-story.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";

/** The end reason in words: in English the API's name without underscores. */
export function endWords(language: Language, reason: EndReason): string {
  return language === "tr" ? TURKISH_ENDS[reason] : plain(reason);
}

/**
 * Why an import refused a row, in words. The log has it as text, so an unknown (newer)
 * reason is shown as it is.
 */
export function refusalWords(language: Language, reason: string): string {
  return (language === "tr" ? TURKISH_REFUSALS.get(reason) : undefined) ?? plain(reason);
}

const plain = (reason: string): string => reason.replaceAll("_", " ");

const TURKISH_ENDS: Readonly<Record<EndReason, string>> = {
  customer_ended: "müşteri kapattı",
  assistant_ended: "asistan bitirdi",
  api_ended: "API ile kapatıldı",
  max_duration: "en uzun süreye ulaşıldı",
  silence_timeout: "sessizlik",
  transferred: "aktarıldı",
  voicemail_message_left: "telesekretere mesaj bırakıldı",
  busy: "meşgul",
  no_answer: "yanıt yok",
  unreachable: "ulaşılamıyor",
  voicemail: "telesekreter",
  declined: "reddedildi",
  carrier_error: "operatör hatası",
  setup_timeout: "zamanında kurulamadı",
  not_placed: "hiç başlatılmadı",
  connection_lost: "bağlantı koptu",
  assistant_error: "asistan hatası",
  invalid_number: "geçersiz numara",
  invalid_text: "geçersiz metin",
  permission_denied: "izin yok",
  suppressed: "arama yasağında",
  assistant_unpublished: "asistan yayında değil",
  phone_number_inactive: "hat etkin değil",
  insufficient_credits: "kredi yetersiz",
  canceled: "yanıttan önce iptal edildi",
  outcome_unknown: "sonuç bilinmiyor",
};

const TURKISH_REFUSALS: ReadonlyMap<string, string> = new Map([
  ["missing_phone", "telefon numarası yok"],
  ["not_e164", "+ ve ülke koduyla yazılmamış"],
  ["not_possible", "ülkesinde böyle bir numara olamaz"],
  ["spreadsheet_number", "hesap tablosu okunmaz yapmış"],
  ["bad_timezone", "bilinmeyen saat dilimi"],
  ["bad_consent", "eksik ya da okunamayan rıza"],
  ["consent_in_future", "ileri tarihli rıza"],
  ["duplicate", "önceki bir satırı yineliyor"],
  ["text_too_long", "metni fazla uzun"],
  ["too_many_cells", "başlıktan çok hücre"],
  ["too_few_cells", "başlıktan az hücre"],
  ["invalid_character", "izin verilmeyen bir karakter"],
  ["name_too_long", "adı fazla uzun"],
  ["external_id_too_long", "kendi numarası fazla uzun"],
  ["custom_data_too_large", "değerleri fazla yer tutuyor"],
]);
