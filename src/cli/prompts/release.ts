import type { PromptHarbor } from '../../../client/src/client.ts';
import type { ReleaseFields } from '../../contract/releases.ts';
import { hasOption, type Input, textOf, textsOf } from '../command.ts';
import { connect } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { note, print, printJson } from '../terminal.ts';
import { parseLabel, parseVersion } from './choice.ts';
import { parseArm, readNewRelease } from './release-input.ts';
import { formatRelease, formatShares, type ShownRelease } from './release-report.ts';
import { noteWarnings } from './warnings.ts';

export async function start(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const { control: given, ...release } = await readNewRelease(input);
  const ph = await connect(input);
  const control = given ?? (await ph.prompts.get(name, { label })).version;
  const started = await ph.releases.start(name, { label, control, ...release }, { strict: hasOption(input, 'strict') });
  if (hasOption(input, 'json')) return printJson(started);
  note(`${name}: the release on ${label} has started. ${formatShares(started)}`);
  noteWarnings(name, started.warnings);
}

export async function show(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const ph = await connect(input);
  const release: ShownRelease = await ph.releases.get(name, { label });
  if (hasOption(input, 'json')) return printJson(release);
  print(formatRelease(name, release));
}

/** Widens the given arms. The others keep their shares. */
export async function widen(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const wider = new Map(
    textsOf(input, 'arm')
      .map(parseArm)
      .map(({ version, weight }) => [version, weight]),
  );
  const ph = await connect(input);
  const { arms } = await ph.releases.get(name, { label });
  const unknown = [...wider.keys()].find((version) => !arms.some((arm) => arm.version === version));
  if (unknown !== undefined) throw new UsageError(`The release has no arm for version ${unknown}. To add one, start a new release.`);
  const all = arms.map(({ version, weight }) => ({ version, weight: wider.get(version) ?? weight }));
  report(input, name, await ph.releases.change(name, { label, arms: all }), 'is wider');
}

export async function pause(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const ph = await connect(input);
  report(input, name, await ph.releases.change(name, { label, state: 'paused' }), 'is paused');
}

export async function resume(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const ph = await connect(input);
  report(input, name, await ph.releases.change(name, { label, state: 'running' }), 'is running');
}

export async function rollBack(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const ph = await connect(input);
  await ph.releases.rollBack(name, { label });
  await reportEnd(ph, input, { name, label });
}

export async function finish(input: Input): Promise<void> {
  const { name, label } = placeOf(input);
  const version = parseVersion(textOf(input, 'version') ?? '');
  const override = textOf(input, 'override');
  const ph = await connect(input);
  const finished = await ph.releases.finish(name, { label, version, ...(override !== undefined && { override }) });
  if (hasOption(input, 'json')) return printJson(finished);
  note(`${name}: the release has ended, and ${label} is now version ${version}.`);
}

async function reportEnd(ph: PromptHarbor, input: Input, { name, label }: { name: string; label: string }): Promise<void> {
  const ended = await ph.releases.get(name, { label });
  if (hasOption(input, 'json')) return printJson(ended);
  note(`${name}: the release on ${label} was rolled back. All callers get version ${ended.control}.`);
}

function report(input: Input, name: string, release: ReleaseFields, change: string): void {
  if (hasOption(input, 'json')) printJson(release);
  else note(`${name}: the release on ${release.label} ${change}. ${formatShares(release)}`);
}

function placeOf({ args: [name = '', label = 'production'] }: Input): { name: string; label: string } {
  return { name, label: parseLabel(label) };
}
