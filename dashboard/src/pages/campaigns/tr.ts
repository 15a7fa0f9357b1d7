import type { Texts } from "../../texts/en.ts";
import type { en } from "./en.ts";

export const tr: Texts<keyof typeof en> = {
  "pause-all": "Her şeyi duraklat",
  "pause-all.title": "Arama yapan her şey duraklatılsın mı?",
  "pause-all.told":
    "Çalışan ya da kendiliğinden devam edecek her kampanya, biri devam ettirene kadar durur. Süren görüşmeler tamamlanır.",
  new: "Yeni kampanya",
  search: "Ada göre ara",
  status: "Durum",
  "status.all": "Bütün durumlar",
  name: "Ad",
  progress: "İlerleme",
  resumes: "Devam zamanı",
  created: "Oluşturulma",
  none: "Böyle bir kampanya yok.",
  empty: "Henüz kampanya yok. Aranacak kişilerin listesiyle oluşturulur.",
  "status.PENDING": "Başlamadı",
  "status.RUNNING": "Çalışıyor",
  "status.PAUSED": "Duraklatıldı",
  "status.COMPLETED": "Tamamlandı",
  "status.CANCELLED": "İptal edildi",
};
