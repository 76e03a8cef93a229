import { type Static, Type } from 'typebox';
import { objectOf, orNull } from './shapes.ts';

// These are the shapes in which Langfuse's SDKs report scores and traces. Fields that are not listed are ignored.

export const LangfuseBatch = objectOf(
  'LangfuseBatch',
  {
    batch: [
      {
        id: 'a64a2873-3673-408f-ba23-a5ea39868b36',
        type: 'score-create',
        timestamp: '2026-11-15T08:30:00.000Z',
        body: { traceId: 'd339e29bc8494867', name: 'helpful', value: 1, dataType: 'BOOLEAN' },
      },
    ],
  },
  {
    batch: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The id of the event.' }),
        type: Type.String({
          description:
            '`generation-create`, `generation-update`, `observation-create` and `observation-update` for generations and embeddings that name a ' +
            'prompt, and `score-create`. Events of other types are accepted and dropped.',
        }),
        timestamp: Type.String(),
        body: Type.Object({}, { additionalProperties: true }),
      }),
    ),
  },
);

const status = Type.Integer();
export const LangfuseBatchOutcome = objectOf(
  'LangfuseBatchOutcome',
  { successes: [{ id: 'a64a2873-3673-408f-ba23-a5ea39868b36', status: 201 }], errors: [] },
  {
    successes: Type.Array(Type.Object({ id: Type.String(), status })),
    errors: Type.Array(Type.Object({ id: Type.String(), status, message: Type.String(), error: Type.String() })),
  },
);

const optionalId = Type.Optional(orNull(Type.String({ maxLength: 200 })));
export const NewLangfuseScore = objectOf(
  'NewLangfuseScore',
  { traceId: 'd339e29bc8494867', name: 'helpful', value: 1, dataType: 'BOOLEAN' },
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A score that is sent again with the same id is counted once.' }),
    ),
    traceId: optionalId,
    observationId: optionalId,
    name: Type.String(),
    value: Type.Union([Type.Number(), Type.Boolean(), Type.String()]),
    dataType: Type.Optional(
      orNull(
        Type.String({
          description: '`NUMERIC`, `BOOLEAN` or `CATEGORICAL`. Scores with the types `TEXT` and `CORRECTION` are accepted and dropped.',
        }),
      ),
    ),
    comment: Type.Optional(orNull(Type.String({ description: 'Comments with more than 500 characters are dropped.' }))),
  },
);
export type NewLangfuseScore = Static<typeof NewLangfuseScore>;

export const LangfuseScoreReceipt = objectOf('LangfuseScoreReceipt', { id: 'score-1' }, { id: Type.String() });
