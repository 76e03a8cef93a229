import type { Command, Option } from './command.ts';
import { clientCommands, commands } from './commands.ts';
import { operatorCommands } from './operator-commands.ts';
import { toLine } from './terminal.ts';

const help: Option = { text: 'show this help', short: 'h' };

/** Returns the usage of the program. */
export function formatUsage(): string {
  const format = ({ name, summary }: Command) => `  ${name.padEnd(30)}${summary}`;
  return `PromptHarbor keeps prompts out of your code.

Usage: promptharbor <command> [options]

Commands for prompts (over HTTP):
${clientCommands.map(format).join('\n')}

Commands for the service on this machine:
${operatorCommands.map(format).join('\n')}

For the options of a command, run: promptharbor <command> --help

Exit codes: 0 success, 1 failure or differences, 2 wrong usage, 3 no key or not allowed, 4 not found, 5 service unavailable, 130 stopped with Ctrl+C.
The commands for accounts, keys and backups work whether or not the service is running. Stop the service before restore and migrate-to.
Settings are environment variables. For prompts: PROMPTHARBOR_URL, PROMPTHARBOR_API_KEY and PROMPTHARBOR_WORKSPACE (see docs/cli.md).
For the service: PORT, HOST, DATA_DIR, DATABASE_URL, SECRET_KEY and others (see docs/settings.md).
`;
}

/** Returns the options and examples of one command. */
export function formatCommandUsage({ name, summary, arguments: positional, options = {}, examples = [] }: Command): string {
  const rows = Object.entries({ ...options, help }).map(([option, { text, value, short, required }]): [string, string] => [
    `${short ? `-${short}, ` : '    '}--${option}${value === undefined ? '' : ` <${value}>`}`,
    required ? `${text} (required)` : text,
  ]);
  const sections = [
    `Usage: promptharbor ${name}${positional === undefined ? '' : ` ${positional}`} [options]`,
    `${summary}.`,
    formatRows(rows),
    ...(examples.length > 0 ? [`Examples:\n${formatRows(examples.map(toExampleRow))}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns the error text for an unknown command, which suggests similar commands. */
export function describeUnknownCommand(args: string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const [first] = words;
  if (first === undefined || args[0]?.startsWith('-')) return describeUnknownOption(args[0] ?? '');
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  const alike = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].find((name) => isAlike(name, first));
  const hint = group.length > 0 ? `Use ${group.join(', ')}.` : alike === undefined ? '' : `Did you mean "${alike}"?`;
  const unknown = (group.length > 0 ? words.slice(0, 2) : [first]).map(toLine).join(' ');
  return `There is no command "${unknown}". ${hint}${hint && ' '}"promptharbor --help" lists all commands.`;
}

/** Returns the error text for an option that was given in place of a command. */
function describeUnknownOption(option: string): string {
  const alike = ['--help', '--version'].find((name) => isAlike(name, option));
  const hint = alike === undefined ? '' : `Did you mean ${alike}? `;
  return `There is no option "${toLine(option)}" without a command. ${hint}"promptharbor --help" lists all commands.`;
}

/** Returns whether the texts differ only by one character that is added, removed or replaced, or by two characters that are swapped. */
export function isAlike(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1) || isSwapped;
}

function toExampleRow(example: string): [string, string] {
  const [line = '', comment] = example.split('  # ');
  return [`promptharbor ${line}`, comment === undefined ? '' : `# ${comment}`];
}

function formatRows(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd()).join('\n');
}
