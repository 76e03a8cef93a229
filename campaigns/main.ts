import { UsageError } from './lib/settings.ts';

interface Campaign {
  /** A description of the campaign, and the size of a complete run. */
  summary: string;
  takesArguments?: boolean;
  load(): Promise<{ run(args: string[]): Promise<void> }>;
}

/** `npm run campaign`: long tests of what must hold under attack and failure. Results are committed in docs/campaigns.md. */
const campaigns: Record<string, Campaign> = {
  revocation: {
    summary: 'keys reset and members removed at three instances that are killed and paused [resets: 10000]',
    takesArguments: true,
    load: () => import('./revocation.ts'),
  },
  durability: {
    summary: 'kill -9 under writes of every kind, on both engines [kills: 1000]',
    takesArguments: true,
    load: () => import('./durability.ts'),
  },
  failover: {
    summary: 'failovers of a PostgreSQL cluster under Patroni [--failovers=36 --without-lease --fault=… --patroni=…]',
    takesArguments: true,
    load: () => import('./failover.ts'),
  },
  upgrade: {
    summary: 'an earlier version and this one side by side under load, both ways [rounds: 10] [--from=<commit or tag>]',
    takesArguments: true,
    load: () => import('./upgrade.ts'),
  },
  soak: {
    summary: 'mixed load at half of the capacity: memory, file descriptors, p99 [minutes: 120] [--engine=SQLite]',
    takesArguments: true,
    load: () => import('./soak.ts'),
  },
  fuzz: {
    summary: 'malformed and mutated requests, derived from openapi.json, on both engines [requests: 1000000]',
    takesArguments: true,
    load: () => import('./fuzz.ts'),
  },
  hostile: {
    summary: 'each hostile case, and what another account notices [seconds of each: 3] [--case=<part of its family and name>]',
    takesArguments: true,
    load: () => import('./hostile.ts'),
  },
  release: {
    summary: 'the files in dist/release: replaced under load, killed, backed up, built again; after npm run dist [replacements: 2]',
    takesArguments: true,
    load: () => import('./release.ts'),
  },
  failures: { summary: 'the tests of kills, failures and several instances, for longer', load: () => import('./failures.ts') },
  inputs: { summary: 'the tests with random or repeated inputs, with more of them', load: () => import('./inputs.ts') },
  webhooks: { summary: 'webhooks while the instances that send are killed', load: () => import('./webhooks.ts') },
  clients: { summary: 'the Python client, pull and push: more threads and random inputs', load: () => import('./clients.ts') },
  streams: { summary: 'streams that reconnect at random', load: () => import('./streams.ts') },
  export: { summary: 'export and import of 10,000 prompts', load: () => import('./export.ts') },
  mcp: { summary: 'the Inspector, the conformance suite and hostile messages', load: () => import('./mcp.ts') },
  checks: { summary: 'what others notice of 200 cases on two versions', load: () => import('./checks.ts') },
};

// Tests and hostile cases are larger in campaigns.
process.env.PROMPTHARBOR_CAMPAIGN = 'yes';

const [name, ...args] = process.argv.slice(2);
const campaign = name === undefined ? undefined : campaigns[name];
const isHelp = name === undefined || name === '--help' || args.includes('--help');
if (isHelp) showUsage();
else if (!campaign) showUsage(`There is no campaign ${name}.`);
else if (args.length > 0 && !campaign.takesArguments) showUsage(`${name} takes no options.`);
else {
  try {
    await (await campaign.load()).run(args);
  } catch (err) {
    if (!(err instanceof UsageError)) throw err;
    showUsage(err.message);
  }
}

/** Prints the usage on standard output if the user asked for help, and otherwise after the error. */
function showUsage(problem?: string): void {
  const width = Math.max(...Object.keys(campaigns).map((each) => each.length));
  const lines = Object.entries(campaigns).map(([each, { summary }]) => `  ${each.padEnd(width)}  ${summary}`);
  const text = `Usage: npm run campaign -- <name> [size] [--seed=<number>] [--document]

${lines.join('\n')}

Campaigns with a size in brackets accept a size and these options; the size shown is the default. --seed repeats the random choices of an
earlier run. --document writes the results into docs/campaigns.md even if the size is smaller.
`;
  if (problem === undefined) process.stdout.write(text);
  else process.stderr.write(`${problem}\n\n${text}`);
  process.exitCode = problem === undefined ? 0 : 2;
}
