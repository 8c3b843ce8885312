/** The page's title, what it says, and its link. It has texts of its own, since nothing else is kept in the browser. */
export const TEXTS: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ["The server is not reached", "This page comes back by itself when the server does.", "Try again"],
  es: ["No se puede acceder al servidor", "Esta página volverá por sí sola cuando vuelva el servidor.", "Reintentar"],
  de: [
    "Der Server ist nicht erreichbar",
    "Diese Seite kommt von selbst wieder, sobald der Server wieder da ist.",
    "Erneut versuchen",
  ],
  fr: ["Le serveur est injoignable", "Cette page reviendra d’elle-même avec le serveur.", "Réessayer"],
  "zh-Hans": ["无法连接服务器", "服务器恢复后，此页面会自动恢复。", "重试"],
  ar: ["لا يمكن الوصول إلى الخادم", "ستعود هذه الصفحة تلقائيًا عند عودة الخادم.", "إعادة المحاولة"],
};
