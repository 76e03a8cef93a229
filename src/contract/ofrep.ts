import { type Static, Type } from 'typebox';
import { maxReleaseKeyLength } from './limits.ts';
import { objectOf, orNull } from './shapes.ts';

// These are the shapes of OpenFeature's remote evaluation protocol (OFREP 0.3). A flag is a prompt at a label. Fields that are not listed
// are ignored.

/** The character between the name of a prompt and a label. Names cannot contain it. */
export const flagSeparator = '|';

/** The parameter in a path that names a flag. */
export const flagParameter = Type.String({
  description:
    'The name of the prompt, optionally followed by `|` and a label. Default: the label `production`. Slashes need not be encoded.',
});

const EvaluationContext = Type.Object(
  {
    targetingKey: Type.Optional(
      orNull(
        Type.String({ maxLength: maxReleaseKeyLength }),
        'The key by which a release divides callers, such as the id of a user. Without it, the value comes from the control.',
      ),
    ),
  },
  {
    description:
      'All attributes except `targetingKey` are the context that the rules of a release use. Only strings, numbers and booleans match rules.',
  },
);
export const EvaluationRequest = Type.Optional(
  objectOf('EvaluationRequest', { context: { targetingKey: 'user-42', plan: 'internal' } }, { context: Type.Optional(EvaluationContext) }),
);
export type EvaluationRequest = Static<typeof EvaluationRequest>;

export const flagReasons = ['STATIC', 'SPLIT', 'TARGETING_MATCH', 'DEFAULT'] as const;

const exampleFlag = {
  key: 'support/triage',
  value: 'Classify this request from {{ customer.name }}: {{ request }}',
  reason: 'SPLIT',
  variant: 'v4',
  metadata: { prompt: 'support/triage', label: 'production', version: 4, release: 'rel_mhz1k3p0_0005f0c9a7e21d4b836' },
};
const flagFields = {
  key: Type.String(),
  value: Type.Unsafe<string | object>({
    anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description:
      'For a text prompt, its template. For a chat prompt, an object with `messages` and `config`, and with `tools` and `output` if the version ' +
      'has them. The texts of included prompts are inserted.',
  }),
  reason: Type.Enum([...flagReasons], {
    description:
      '`STATIC`: the label has no release. `SPLIT`: the key chose the version. `TARGETING_MATCH`: a rule chose it. `DEFAULT`: the control, because there is no key.',
  }),
  variant: Type.String({ description: '`control`, or `v` followed by the version number.' }),
  metadata: Type.Object({
    prompt: Type.String(),
    label: Type.String(),
    version: Type.Integer(),
    release: Type.Optional(Type.String({ description: 'The id of the release.' })),
  }),
};
export const EvaluatedFlag = objectOf('EvaluatedFlag', exampleFlag, flagFields);
export type EvaluatedFlag = Static<typeof EvaluatedFlag>;

export const flagErrors = ['PARSE_ERROR', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL'] as const;
export type FlagErrorCode = (typeof flagErrors)[number];
const errorFields = {
  errorCode: Type.Enum([...flagErrors]),
  errorDetails: Type.String(),
};
const FailedFlag = Type.Object({ key: Type.String(), ...errorFields });

export const EvaluatedFlags = objectOf(
  'EvaluatedFlags',
  { flags: [exampleFlag] },
  { flags: Type.Array(Type.Union([Type.Object(flagFields), FailedFlag])) },
);
export type EvaluatedFlags = Static<typeof EvaluatedFlags>;

export const EvaluationError = objectOf(
  'EvaluationError',
  { key: 'support/triage', errorCode: 'FLAG_NOT_FOUND', errorDetails: 'There is no prompt with this name' },
  { key: Type.Optional(Type.String()), ...errorFields },
);
