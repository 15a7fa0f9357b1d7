import type { Texts } from "../../texts/en.ts";
import type { PhoneNumbersKey } from "./en.ts";

export const tr: Texts<PhoneNumbersKey> = {
  title: "Telefon hatları",
  empty: "Henüz hat yok. Aramalar sizin bir hattınızdan yapılır: ilkini ekleyin.",
  add: "Hat ekle",
  number: "Numara",
  label: "Kendi verdiğiniz ad",
  carrier: "Operatör",
  "carrier.hint": "Boş bırakılırsa bu kurulumunki",
  connection: "Aramaların geçtiği bağlantı",
  active: "Etkin",
  inactive: "Etkin değil",
  "active.told": "Bu hattan arama yapılabilir",
  change: "Değiştir",
  remove: "Kaldır",
  "remove.title": "{number} kaldırılsın mı?",
  "remove.told": "Bu hattan arayan kampanyalar duraklatılır.",
  updated: "Değiştirildi",
  actions: "İşlemler",
};
