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
          'The version this one is based on: nothing is saved if it is no longer the newest. 0: only if there is no prompt with this name.',
      }),
    ),
  },
  {
    title: 'BatchItem',
    additionalProperties: false,
    description:
      'A new prompt, or a new version of the prompt with this name. An existing one keeps its description and tags if they are left out.',
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
    description: 'Up to 50, each with another name, and with up to 200 labels together.',
  }),
  skipUnchanged: Type.Optional(
    Type.Boolean({
      description:
        'Makes no new version of a prompt whose newest one has the same content and config, whatever `baseVersion` says; `labels` move to ' +
        'that one. Default: false.',
    }),
  ),
});
export type Batch = Static<typeof Batch>;

const BatchStatus = Type.Enum(['created', 'updated', 'changed', 'unchanged'], {
  description:
    '`created`: a new prompt. `updated`: a new version. `changed`: only the description, tags or labels have changed. `unchanged`: nothing has.',
});

const exampleSavedBatch = { data: [{ name: 'support/triage', version: 3, status: 'updated' }] };
export const SavedBatch = objectOf('SavedBatch', exampleSavedBatch, {
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.Integer({ description: 'The newest version.' }),
      status: BatchStatus,
      warnings: Type.Optional(Type.Array(Warning, { description: 'What fails at the labels that were moved. Absent if nothing does.' })),
    }),
    { description: 'In the order of the request.' },
  ),
});
export type SavedBatch = Static<typeof SavedBatch>;
