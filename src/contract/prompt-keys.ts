import { type Static, Type } from 'typebox';
import { objectOf } from './shapes.ts';

/** The number of days whose keys are counted, including today. */
export const keyDays = 7;

export const PromptKeyCount = objectOf(
  'PromptKeyCount',
  { keys: 1840, days: keyDays },
  {
    keys: Type.Integer({
      minimum: 0,
      description:
        'The number of distinct keys with which any label of the prompt was read, or with which its calls were reported. It is exact up to 512, ' +
        'and above that accurate to about 5%. A caller that sends no key is not counted.',
    }),
    days: Type.Integer({ description: 'The number of days that are counted, including today (UTC).' }),
  },
);
export type PromptKeyCount = Static<typeof PromptKeyCount>;
