import { Type } from 'typebox';
import { latestLabel, productionLabel } from './label-names.ts';
import { labelPattern } from './limits.ts';
import { bodyOf } from './shapes.ts';

export const Label = Type.String({
  pattern: labelPattern,
  description: 'A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a letter or digit.',
  examples: [productionLabel],
});

/** A label in a read request. It may be `latest`, which cannot be set. */
export const LabelOrLatest = Type.Union([Label, Type.Literal(latestLabel)]);

export const Override = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    'The reason for moving a gated label without passing checks. Requires the role `admin`. The reason is shown in the history and the event.',
});

const exampleLabelTarget = { version: 2 };
export const LabelTarget = bodyOf('LabelTarget', exampleLabelTarget, {
  version: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  override: Type.Optional(Override),
});
