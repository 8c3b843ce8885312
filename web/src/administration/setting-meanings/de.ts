/** What each setting is for. */
export const de: Record<string, string> = {
  data: "Der Datenordner: Dateien, Katalog und was gerade ankommt.",
  listen: "Adresse und Port des Dienstes; Port 0 nimmt einen freien.",
  database: "Der Katalog: postgresql://… oder sqlite:///Datei; leer ist SQLite im Datenordner.",
  durability: "durable antwortet, wenn Dateien vor einem Stromausfall sicher sind; relaxed wartet nicht darauf.",
  log_level: "debug, info, warning, error oder off.",
  log_format: "text, oder json: ein Objekt in jeder Zeile des Protokolls.",
  access_log: "Eine Zeile im Protokoll für jede Anfrage.",
  private_connectors:
    "Server, die Benutzer einbinden, dürfen auf diesem Rechner oder in einem privaten Netz stehen, wie die von Administratoren.",
  share_roots:
    "Ordner dieses Servers mit absolutem Pfad, unter denen Administratoren in der Weboberfläche andere freigeben dürfen; von sich aus keine: dann kann es nur die Befehlszeile.",
  cors_origins: "Herkünfte (scheme://host:port, oder *), deren Seiten die API benutzen dürfen; von sich aus keine.",
  trusted_proxies:
    "Adressen und Netze (192.0.2.0/24) von Proxys vor dem Server, deren X-Forwarded-For und X-Forwarded-Proto geglaubt wird; von sich aus keine.",
  admin_password_file:
    "Eine Datei mit einem Passwort: Gibt es noch kein Konto, entsteht damit der Administrator „admin“. Leer: Der Server druckt einen Link zum Einrichten.",
  metrics_token_file:
    "Eine Datei mit einem Token: /metrics antwortet dem, der es zeigt (Authorization: Bearer). Leer: Es gibt keine Messwerte.",
  audit_days: "Wie viele Tage das Protokoll der Verwaltung aufbewahrt wird.",
  bin_days: "Wie viele Tage ein Papierkorb Gelöschtes behält.",
  threads: "Threads für Verbindungen; 0 ist einer je Prozessorkern.",
  header_timeout_ms: "Wie lange der Kopf einer Anfrage brauchen darf.",
  idle_timeout_ms: "Wie lange eine Verbindung zwischen Anfragen warten darf.",
  stall_timeout_ms: "Wie lange ein Inhalt stillstehen darf, in beiden Richtungen.",
  min_rate_bytes:
    "Wie viel sich von einem Inhalt im Durchschnitt je Sekunde bewegen muss, in beiden Richtungen; 0 ist nichts.",
  min_rate_window_ms: "Die Zeit, über die dieser Durchschnitt gilt, solange auf den Client gewartet wird.",
  stop_timeout_ms: "Wie lange laufende Anfragen beim Beenden noch brauchen dürfen.",
};
