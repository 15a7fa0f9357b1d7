import type { Texts } from "../../texts/en.ts";
import type { PhoneNumbersKey } from "./en.ts";

export const tr: Texts<PhoneNumbersKey> = {
  title: "Telefon hatları",
  empty: "Henüz hat yok. Aramalar sizin bir hattınızdan yapılır: ilkini ekleyin.",
  add: "Hat ekle",
  number: "Numara",
  label: "Etiket",
  carrier: "Operatör",
  "carrier.hint": "Boş: kurulum varsayılanı",
  connection: "Bağlantı",
  active: "Etkin",
  inactive: "Etkin değil",
  "active.told": "Bu hattan arama yapılabilir",
  change: "Düzenle",
  remove: "Sil",
  "remove.title": "{number} silinsin mi?",
  "remove.told": "Bu hattan arayan kampanyalar duraklatılır.",
  updated: "Güncellendi",
  actions: "İşlemler",
};
