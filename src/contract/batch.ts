import { type Static, Type } from 'typebox';
import { maxBatchItems } from './limits.ts';
import { NewPrompt } from './prompts.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { Warning } from './warnings.ts';

const item = Type.Object(
  {
    ...NewPrompt.properties,
    baseVersion: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description:
          'The version on which the new version is based. If that version is no longer the newest, nothing is saved. 0 means that no ' +
          'prompt with this name may exist.',
      }),
    ),
  },
  {
    title: 'BatchItem',
    additionalProperties: false,
    description:
      'A new prompt, or a new version of the prompt with this name. If you omit the description or tags, an existing prompt keeps them.',
  },
);

const exampleBatch = {
  items: [
    { name: 'support/triage', template: 'Classify this request: {{ request }}', baseVersion: 2 },
    { name: 'support/reply', messages: [{ role: 'user', content: '{{ question }}' }], labels: [], baseVersion: 0 },
  ],
};
export const Batch = bodyOf('Batch', exampleBatch, {
  items: Type.Array(item, {
    minItems: 1,
    maxItems: maxBatchItems,
    description: 'Up to 50 items with different names, and up to 200 labels in total.',
  }),
  skipUnchanged: Type.Optional(
    Type.Boolean({
      description:
        'With `true`, no new version is saved if the newest version of a prompt has the same content and config, regardless of ' +
        '`baseVersion`. The labels in `labels` then move to the newest version. Default: `false`.',
    }),
  ),
});
export type Batch = Static<typeof Batch>;

const BatchStatus = Type.Enum(['created', 'updated', 'changed', 'unchanged'], {
  description:
    '`created`: a new prompt. `updated`: a new version. `changed`: only the description, tags or labels have changed. `unchanged`: nothing has changed.',
});

const exampleSavedBatch = { data: [{ name: 'support/triage', version: 3, status: 'updated' }] };
export const SavedBatch = objectOf('SavedBatch', exampleSavedBatch, {
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.Integer({ description: 'The newest version.' }),
      status: BatchStatus,
      warnings: Type.Optional(Type.Array(Warning, { description: 'The problems at the moved labels. Absent if there are none.' })),
    }),
    { description: 'The results, in the order of the items in the request.' },
  ),
});
export type SavedBatch = Static<typeof SavedBatch>;
