/** What each setting is for. */
export const es: Record<string, string> = {
  data: "La carpeta de datos: archivos, catálogo y lo que está llegando.",
  listen: "Dirección y puerto del servicio; el puerto 0 toma uno libre.",
  database: "El catálogo: postgresql://… o sqlite:///archivo; vacío es SQLite en la carpeta de datos.",
  durability: "durable responde cuando los archivos están a salvo de un corte de corriente; relaxed no lo espera.",
  log_level: "debug, info, warning, error u off.",
  log_format: "text, o json: un objeto en cada línea del registro.",
  access_log: "Una línea en el registro por cada petición.",
  private_connectors:
    "Los servidores que conectan los usuarios pueden estar en esta máquina o en una red privada, como los de los administradores.",
  share_roots:
    "Carpetas de este servidor, por su ruta absoluta, bajo las cuales los administradores pueden compartir otras en la interfaz web; de por sí ninguna: entonces solo puede la línea de órdenes.",
  cors_origins: "Orígenes (scheme://host:port, o *) cuyas páginas pueden usar la API; de por sí ninguno.",
  trusted_proxies:
    "Direcciones y redes (192.0.2.0/24) de los proxies delante del servidor, cuyos X-Forwarded-For y X-Forwarded-Proto se creen; de por sí ninguno.",
  admin_password_file:
    "Un archivo con una contraseña: si aún no hay cuentas, con ella se crea el administrador «admin». Vacío: el servidor imprime un enlace de configuración.",
  metrics_token_file:
    "Un archivo con un token: /metrics responde a quien lo muestra (Authorization: Bearer). Vacío: no hay métricas.",
  audit_days: "Cuántos días se guarda el registro de auditoría.",
  bin_days: "Cuántos días guarda una papelera lo eliminado.",
  threads: "Hilos que atienden conexiones; 0 es uno por núcleo.",
  header_timeout_ms: "Cuánto pueden tardar las cabeceras de una petición.",
  idle_timeout_ms: "Cuánto puede esperar una conexión entre peticiones.",
  stall_timeout_ms: "Cuánto puede quedarse parado un cuerpo, en cualquier sentido.",
  min_rate_bytes: "Cuánto debe avanzar un cuerpo por segundo, de media, en cualquier sentido; 0 es nada.",
  min_rate_window_ms: "El tiempo sobre el que se toma esa media, mientras se espera al cliente.",
  stop_timeout_ms: "Cuánto pueden tardar en terminar las peticiones en curso al parar.",
};
