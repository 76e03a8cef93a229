/** Imports a module of Node. The name is an argument, so that bundlers for browsers and workers do not resolve it. */
export function importNode(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}
