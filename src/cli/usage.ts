import type { Command, Option } from './command.ts';
import { commands } from './commands.ts';

const help: Option = { text: 'show this', short: 'h' };

/** What the program can do. */
export function formatUsage(): string {
  const rowsOf = (kind: Command['kind']) =>
    commands.filter((command) => command.kind === kind).map(({ name, summary }) => `  ${name.padEnd(30)}${summary}`);
  return `PromptHarbor keeps prompts out of your code.

Usage: promptharbor <command> [options]

Prompts, over HTTP:
${rowsOf('client').join('\n')}

The service on this machine:
${rowsOf('operator').join('\n')}

  promptharbor <command> --help   shows a command's options

Exit codes: 0 done, 1 differences or failed, 2 wrong usage, 3 no key or not allowed, 4 not found, 5 service not available, 130 stopped with Ctrl+C.
Commands on accounts, keys and backups work while the service runs and while it is stopped; restore and migrate-to need it stopped.
Settings are environment variables: PROMPTHARBOR_URL, PROMPTHARBOR_API_KEY and PROMPTHARBOR_WORKSPACE for prompts, see docs/cli.md;
PORT, HOST, DATA_DIR, DATABASE_URL, SECRET_KEY and others for the service, see docs/settings.md.
`;
}

/** The options and examples of one command. */
export function formatCommandUsage({ name, summary, arguments: positional, options = {}, examples = [] }: Command): string {
  const rows = Object.entries({ ...options, help }).map(([option, { text, value, short }]): [string, string] => [
    `${short ? `-${short}, ` : '    '}--${option}${value === undefined ? '' : ` <${value}>`}`,
    text,
  ]);
  const sections = [
    `Usage: promptharbor ${name}${positional === undefined ? '' : ` ${positional}`} [options]`,
    `${summary}.`,
    formatRows(rows),
    ...(examples.length > 0
      ? [`Examples:\n${formatRows(examples.map(([args, text]) => [`promptharbor ${args}`, text && `# ${text}`]))}`]
      : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

function formatRows(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd()).join('\n');
}
