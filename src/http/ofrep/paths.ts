/** The path at which OpenFeature's clients evaluate all flags. To evaluate one flag, they append its key, which may contain slashes. */
export const flagsPath = '/ofrep/v1/evaluate/flags';

/** Returns whether a request uses OpenFeature's protocol, whose errors have another shape. */
export function isOfrepUrl(url: string): boolean {
  return url.startsWith('/ofrep/');
}

/** Returns the key of the flag that a URL names, as the client wrote it. */
export function readFlagKey(url: string): string | undefined {
  const [path = ''] = url.split('?', 1);
  return path.startsWith(`${flagsPath}/`) ? path.slice(flagsPath.length + 1) : undefined;
}
