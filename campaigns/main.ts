/** `npm run campaign`: long tests of what must hold under attack and failure. Results are committed in docs/reliability.md. */
const campaigns: Record<string, () => Promise<{ run(args?: string[]): Promise<void> }>> = {
  hostile: () => import('./hostile.ts'),
  failures: () => import('./failures.ts'),
  webhooks: () => import('./webhooks.ts'),
  streams: () => import('./streams.ts'),
  export: () => import('./export.ts'),
  mcp: () => import('./mcp.ts'),
  checks: () => import('./checks.ts'),
  failover: () => import('./failover.ts'),
};
const [name, ...rest] = process.argv.slice(2);
if ((rest.length > 0 && name !== 'failover') || (name !== undefined && !(name in campaigns))) {
  process.stderr.write(`Usage: npm run campaign [-- ${Object.keys(campaigns).join('|')}]\n`);
  process.exit(2);
}
for (const [campaign, load] of Object.entries(campaigns)) {
  if (name === undefined || name === campaign) await (await load()).run(rest);
}
