import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../../test/support/random.ts';

/** The arguments of `npm run campaign -- <name> [size] [--seed=<number>] [--document] [--<option>=<text>]`. */
export interface Settings {
  name: string;
  size: number;
  random: Random;
  /** Whether to write the results to docs/campaigns.md. The results of a smaller run are written only with --document. */
  isDocumented: boolean;
  options: Record<string, string | undefined>;
  /** The command that repeats the random choices, but not the timing. */
  repeat: string;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

/** `wholeSize` is the size of a complete run, and the default. */
export function parseSettings(
  name: string,
  args: string[],
  { wholeSize, options = [] }: { wholeSize: number; options?: string[] },
): Settings {
  const { values, positionals } = parse(args, options);
  const [sizeText, ...others] = positionals;
  const size = toCount(sizeText ?? String(wholeSize), 'The size');
  if (others.length > 0) throw new UsageError(`Not understood: ${others.join(' ')}`);
  const { seed, document, ...rest } = values;
  const random = createRandom(seed === undefined ? undefined : toCount(String(seed), '--seed'));
  const repeated = Object.entries(rest).map(([option, value]) => `--${option}=${value}`);
  return {
    name,
    size,
    random,
    isDocumented: size >= wholeSize || document === true,
    options: Object.fromEntries(Object.entries(rest).map(([option, value]) => [option, String(value)])),
    repeat: ['npm run campaign --', name, size, ...repeated, `--seed=${random.seed}`].join(' '),
  };
}

function parse(args: string[], options: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        document: { type: 'boolean' },
        ...Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
      },
    });
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message : String(err));
  }
}

export function toCount(text: string, what: string): number {
  if (!/^[1-9][0-9_]*$/.test(text)) throw new UsageError(`${what} has to be a number above 0: ${text}`);
  return Number(text.replaceAll('_', ''));
}
