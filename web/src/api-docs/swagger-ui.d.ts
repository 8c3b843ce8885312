/** What this page uses of the viewer, which has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export type System = { React: Pick<typeof import("react"), "createElement"> };
  type Settings = {
    dom_id: string;
    spec: object;
    deepLinking: boolean;
    validatorUrl: null;
    plugins: ((system: System) => object)[];
    requestInterceptor: (request: RequestInit) => RequestInit;
  };
  export default function SwaggerUI(settings: Settings): unknown;
}
