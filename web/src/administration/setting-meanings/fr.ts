/** What each setting is for. */
export const fr: Record<string, string> = {
  data: "Le dossier de données : fichiers, catalogue et ce qui est en train d’arriver.",
  listen: "Adresse et port du service ; le port 0 en prend un libre.",
  database: "Le catalogue : postgresql://… ou sqlite:///fichier ; vide, c’est SQLite dans le dossier de données.",
  durability: "durable répond quand les fichiers sont à l’abri d’une coupure de courant ; relaxed n’attend pas.",
  log_level: "debug, info, warning, error ou off.",
  log_format: "text, ou json : un objet à chaque ligne du journal.",
  access_log: "Une ligne du journal pour chaque requête.",
  private_connectors:
    "Les serveurs que connectent les utilisateurs peuvent être sur cette machine ou un réseau privé, comme ceux des administrateurs.",
  share_roots:
    "Dossiers de ce serveur, par leur chemin absolu, sous lesquels les administrateurs peuvent en partager d’autres dans l’interface web ; aucun par défaut : seule la ligne de commande le peut alors.",
  cors_origins: "Origines (scheme://host:port, ou *) dont les pages peuvent utiliser l’API ; aucune par défaut.",
  trusted_proxies:
    "Adresses et réseaux (192.0.2.0/24) des proxys devant le serveur, dont X-Forwarded-For et X-Forwarded-Proto sont crus ; aucun par défaut.",
  admin_password_file:
    "Un fichier avec un mot de passe : s’il n’y a encore aucun compte, l’administrateur « admin » est créé avec. Vide : le serveur affiche un lien de mise en place.",
  metrics_token_file:
    "Un fichier avec un jeton : /metrics répond à qui le montre (Authorization: Bearer). Vide : il n’y a pas de mesures.",
  audit_days: "Combien de jours le journal d’audit est gardé.",
  bin_days: "Combien de jours une corbeille garde ce qui est supprimé.",
  threads: "Fils d’exécution qui servent les connexions ; 0 en fait un par cœur.",
  header_timeout_ms: "Le temps que peuvent prendre les en-têtes d’une requête.",
  idle_timeout_ms: "Le temps qu’une connexion peut attendre entre deux requêtes.",
  stall_timeout_ms: "Le temps qu’un corps peut rester immobile, dans un sens ou dans l’autre.",
  min_rate_bytes:
    "Ce dont un corps doit avancer par seconde, en moyenne, dans un sens ou dans l’autre ; 0, c’est rien.",
  min_rate_window_ms: "La durée sur laquelle cette moyenne est prise, tant que le client est attendu.",
  stop_timeout_ms: "Le temps que les requêtes en cours ont pour finir à l’arrêt.",
};
