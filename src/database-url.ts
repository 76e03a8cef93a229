/** `postgres://user@a:5432,b:5433/db` as one URL for each host. */
export function splitHosts(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(databaseUrl);
  if (!parts) return [databaseUrl];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}
