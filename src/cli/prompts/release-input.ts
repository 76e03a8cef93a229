import type { NewRelease } from '../../contract/releases.ts';
import { type Input, textOf, textsOf } from '../command.ts';
import { UsageError } from '../errors.ts';
import { readJsonObject } from '../read-json.ts';
import { parseVersion } from './choice.ts';

type Guard = NonNullable<NewRelease['guards']>[number];

/** Returns the release that the options describe. The service checks the fields of a file. */
export async function readNewRelease(input: Input): Promise<Omit<NewRelease, 'control'> & { control?: number }> {
  const file = textOf(input, 'file');
  const given = { ...(file === undefined ? {} : await readJsonObject(file)), ...optionsOf(input) };
  if (!('arms' in given)) throw new UsageError('Add at least one --arm, such as --arm 4=5%.');
  // The service validates the body.
  return given as Omit<NewRelease, 'control'> & { control?: number };
}

function optionsOf(input: Input): Partial<NewRelease> {
  const texts = (name: string) => textsOf(input, name);
  const [control, metric, units, minutes] = ['control', 'metric', 'min-units', 'every'].map((name) => textOf(input, name));
  const [onRegression, override] = [textOf(input, 'on-regression'), textOf(input, 'override')];
  if (onRegression !== undefined && onRegression !== 'rollback' && onRegression !== 'pause') {
    throw new UsageError('--on-regression must be rollback or pause.');
  }
  return {
    ...(control !== undefined && { control: parseVersion(control) }),
    ...(texts('arm').length > 0 && { arms: texts('arm').map(parseArm) }),
    ...(texts('rule').length > 0 && { rules: texts('rule').map(parseRule) }),
    ...(texts('guard').length > 0 && { guards: texts('guard').map(parseGuard) }),
    ...(texts('step').length > 0 && { steps: texts('step').map((text) => parseShare('step', text)) }),
    ...(metric !== undefined && { metric }),
    ...(units !== undefined && { minUnits: parseCount('min-units', units) }),
    ...(minutes !== undefined && { everyMinutes: parseCount('every', minutes) }),
    ...(onRegression !== undefined && { onRegression }),
    ...(override !== undefined && { override }),
  };
}

/** Parses an arm such as `4=5%`. */
export function parseArm(text: string): NewRelease['arms'][number] {
  const [version = '', share = '', ...rest] = text.split('=');
  if (rest.length > 0 || share === '') throw new UsageError(`--arm expects a version and a share, such as 4=5%, but got "${text}".`);
  return { version: parseVersion(version), weight: parseShare('arm', share) };
}

/** Parses a percentage with up to two decimals as ten-thousandths. */
function parseShare(option: string, text: string): number {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?%$/.exec(text) ?? [];
  const weight = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  if (whole === '' || weight > 10_000)
    throw new UsageError(`--${option} expects a share from 0% to 100%, such as 2.5%, but got "${text}".`);
  return weight;
}

/** Parses a rule such as `4:plan=internal,beta`. A file can have rules with several attributes. */
function parseRule(text: string): NonNullable<NewRelease['rules']>[number] {
  const [, version = '', name = '', values = ''] = /^(\d+):([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new UsageError(`--rule expects a version, an attribute and values, such as 4:plan=internal, but got "${text}".`);
  return { if: { [name]: values.split(',') }, version: parseVersion(version) };
}

/** Parses a guard such as `errorRate` or `score:helpful=0.1`. The names of scores may contain `=`. */
function parseGuard(text: string): Guard {
  const [, metric = text, margin] = /^(.*)=(\d+(?:\.\d+)?)$/s.exec(text) ?? [];
  return { metric, ...(margin !== undefined && { margin: Number(margin) }) };
}

function parseCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`--${option} must be a whole number above 0.`);
  return Number(text);
}
