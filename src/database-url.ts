/** Splits a URL with several hosts, such as `postgres://user@a:5432,b:5433/db`, into one URL per host. */
export function splitHosts(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(databaseUrl);
  if (!parts) return [databaseUrl];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}

/** Returns the value, or undefined if it is not the URL of a PostgreSQL database with one or more hosts. */
export function parsePostgresUrl(value: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(value)) return undefined;
  const urls = splitHosts(value).map((url) => URL.parse(url));
  // A URL that requests a read-only server is refused, because the service must write.
  const isWritable = urls.every(
    (url) => url && ['read-write', 'primary', 'any', null].includes(url.searchParams.get('target_session_attrs')),
  );
  return isWritable && (urls.length === 1 || urls.every((url) => url?.hostname)) ? value : undefined;
}
