import { en } from "./en";
import type { Messages } from "./types";
export const de: Messages = {
  ...en,

  // Aufgaben
  "tasks.title": "Aufgaben",
  "tasks.none": "Es läuft nichts.",
  "tasks.copy": { one: "{count} Element wird kopiert", other: "{count} Elemente werden kopiert" },
  "tasks.move": { one: "{count} Element wird verschoben", other: "{count} Elemente werden verschoben" },
  "tasks.delete": { one: "{count} Element wird gelöscht", other: "{count} Elemente werden gelöscht" },
  "tasks.restore": {
    one: "{count} Element wird wiederhergestellt",
    other: "{count} Elemente werden wiederhergestellt",
  },
  "tasks.to": "Nach {folder}",
  "tasks.cancel": "Abbrechen",
  "tasks.dismiss": "Aus der Liste entfernen",
  "tasks.clear": "Beendete entfernen",
  "tasks.progress": "Fortschritt",
  "tasks.waiting": "Wartet auf eine andere Aufgabe",
  "tasks.doneOf": "{done} von {total}",
  "tasks.itemsOf": "{done} von {total} Elementen",
  "tasks.speed": "{size}/s",
  "tasks.timeLeft": "noch {time}",
  "tasks.done": "Fertig",
  "tasks.failed": "Fehlgeschlagen: {reason}",
  "tasks.cancelled": "Abgebrochen",
  "tasks.interrupted": "Durch ein Ende des Servers unterbrochen. Beginnen Sie von Neuem.",
  "tasks.left": { one: "{count} ausgelassen", other: "{count} ausgelassen" },
  "tasks.leftMore": { one: "und {count} weiteres", other: "und {count} weitere" },

  // Vergebene Namen
  "conflicts.title": "„{name}“ ist schon da",
  "conflicts.hintFile":
    "Beim Ersetzen geht die Datei im Ordner verloren. Werden beide behalten, bekommt die neue eine Nummer.",
  "conflicts.hintFolder":
    "Beim Ersetzen kommt der neue Inhalt in den vorhandenen Ordner. Werden beide behalten, bekommt der neue eine Nummer.",
  "conflicts.hintDiffer": "Das eine ist eine Datei, das andere ein Ordner: Keines kann das andere ersetzen.",
  "conflicts.there": "Im Ordner",
  "conflicts.coming": "Neu",
  "conflicts.newer": "neuer",
  "conflicts.larger": "größer",
  "conflicts.replace": "Ersetzen",
  "conflicts.keepBoth": "Beide behalten",
  "conflicts.skip": "Überspringen",
  "conflicts.forAll": {
    one: "Für alle: {count} weiterer Name ist vergeben",
    other: "Für alle: {count} weitere Namen sind vergeben",
  },

  // Hochladen
  "uploads.upload": "Hochladen",
  "uploads.chooseFiles": "Dateien zum Hochladen",
  "uploads.chooseFolder": "Ordner von diesem Gerät",
  "uploads.drop": "Loslassen lädt nach „{folder}“ hoch",
  "uploads.looking": "Es wird nachgesehen, was hochzuladen ist …",
  "uploads.readFailed": "Das Gewählte lässt sich nicht lesen. Wählen Sie es noch einmal.",
  "uploads.noRoomTitle": "Der Platz reicht nicht",
  "uploads.noRoom":
    "Hochzuladen sind {needed}, frei sind in Ihrem Speicher aber nur {free}. Löschen Sie etwas, leeren Sie den Papierkorb oder bitten Sie um mehr Platz.",
  "uploads.files": { one: "{count} Datei", other: "{count} Dateien" },
  "uploads.to": "Nach {folder}",
  "uploads.doneOf": "{done} von {total}",
  "uploads.filesOf": "{done} von {total} Dateien",
  "uploads.offline": "Der Server ist nicht erreichbar. Es geht weiter, sobald er wieder da ist.",
  "uploads.waiting": "Der Server ist beschäftigt. Es geht gleich weiter.",
  "uploads.paused": "Angehalten",
  "uploads.needsLeave": "Unterbrochen. Erlauben Sie dem Browser, die Dateien wieder zu lesen.",
  "uploads.needsFiles": {
    one: "Unterbrochen. Wählen Sie die {count} Datei noch einmal; was da ist, wird nicht noch einmal gesendet.",
    other: "Unterbrochen. Wählen Sie die {count} Dateien noch einmal; was da ist, wird nicht noch einmal gesendet.",
  },
  "uploads.done": "Hochgeladen",
  "uploads.pause": "Anhalten",
  "uploads.resume": "Fortsetzen",
  "uploads.retry": "Noch einmal",
  "uploads.allow": "Fortfahren",
  "uploads.chooseAgain": "Noch einmal wählen",
  "uploads.notSame": "Das ist nicht, was hochgeladen wurde: Name, Größe oder Datum weichen ab.",
  "uploads.skippedTaken": "Übersprungen: Der Name ist vergeben.",
  "uploads.unreadable": "Die Datei wurde auf diesem Gerät geändert oder entfernt. Laden Sie sie neu hoch.",
};
