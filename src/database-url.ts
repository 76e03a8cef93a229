/** `postgres://user@a:5432,b:5433/db` as one URL for each host. */
export function splitHosts(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(databaseUrl);
  if (!parts) return [databaseUrl];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}

/** The value itself, or undefined if it is not the URL of a PostgreSQL database, on one host or several. */
export function parsePostgresUrl(value: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(value)) return undefined;
  const urls = splitHosts(value).map((url) => URL.parse(url));
  // The service writes, so nothing else makes sense.
  const isWritable = urls.every(
    (url) => url && ['read-write', 'primary', 'any', null].includes(url.searchParams.get('target_session_attrs')),
  );
  return isWritable && (urls.length === 1 || urls.every((url) => url?.hostname)) ? value : undefined;
}
