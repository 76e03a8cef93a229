/** The method and path pattern, such as `GET /api/prompts/{name}`. Cached, because there are few and every request needs one. */
export function routeNameOf(method: string, route: string | undefined): string {
  if (route === undefined) return 'none';
  let byRoute = names.get(method);
  if (!byRoute) {
    byRoute = new Map();
    names.set(method, byRoute);
  }
  let name = byRoute.get(route);
  if (name === undefined) {
    name = `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`;
    byRoute.set(route, name);
  }
  return name;
}

const names = new Map<string, Map<string, string>>();
