declare module 'fastify' {
  interface FastifyRequest {
    /** The prompt a request was answered with, for the statistics. Set by the routes that serve one. */
    served: Served | undefined;
  }
}

export interface Served {
  promptId: string;
  version: number | undefined;
  label: string | undefined;
}
