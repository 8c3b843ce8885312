// Runs beside all windows of a browser that show this server, and shares among them what a browser has only once.
import { serve } from "./service";

type Surroundings = { onconnect: (event: MessageEvent) => void };

(self as unknown as Surroundings).onconnect = ({ ports: [port] }) => {
  if (port) serve(port);
};
