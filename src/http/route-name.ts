import type { FastifyRequest } from 'fastify';

/** A request's method and the pattern of its path, such as `GET /api/prompts/{name}`: a handful of names, whatever is sent. */
export function routeNameOf({ method, routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  if (url === undefined) return 'none';
  const key = `${method} ${url}`;
  let name = names.get(key);
  if (name === undefined) {
    name = key.replaceAll(/:(\w+)/g, '{$1}');
    names.set(key, name);
  }
  return name;
}

const names = new Map<string, string>();
