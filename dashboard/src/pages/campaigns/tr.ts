import type { Texts } from "../../texts/en.ts";
import type { en } from "./en.ts";

export const tr: Texts<keyof typeof en> = {
  new: "CSV dosyasından yeni kampanya",
  search: "Ada göre ara",
  status: "Durum",
  "status.all": "Bütün durumlar",
  name: "Ad",
  progress: "İlerleme",
  "goes-on": "Devam zamanı",
  created: "Oluşturulma",
  none: "Böyle bir kampanya yok.",
  empty: "Henüz kampanya yok. Aranacak kişilerin listesiyle oluşturulur.",
  "status.PENDING": "Başlamadı",
  "status.RUNNING": "Çalışıyor",
  "status.PAUSED": "Duraklatıldı",
  "status.COMPLETED": "Tamamlandı",
  "status.CANCELLED": "İptal edildi",
};
