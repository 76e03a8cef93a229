import { Type } from 'typebox';
import { maxReleaseAttributes, maxReleaseKeyLength, maxRuleValueLength } from './limits.ts';
import { releaseReasons } from './release-assignment.ts';

/** The way in which the version in a response was chosen. */
export const VersionRelease = Type.Object(
  {
    id: Type.String(),
    arm: Type.String({ description: '`control`, or `v` followed by the version number.' }),
    reason: Type.Enum([...releaseReasons], {
      description: '`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key.',
    }),
  },
  { description: 'Present if the label has a release.' },
);

export const ReleaseKey = Type.String({
  minLength: 1,
  maxLength: maxReleaseKeyLength,
  description:
    'The key by which a release divides callers, such as the id of a user. If the label has a release, the key decides which version the response has: the same key always ' +
    'gets the same version.',
  examples: ['user-42'],
});
export const ReleaseContext = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  maxProperties: maxReleaseAttributes,
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: maxRuleValueLength },
  description: 'Attributes that the rules of a release use.',
  examples: [{ plan: 'internal' }],
});

/** The prefix of the query parameters that contain a context, such as `ctx.plan=internal`. */
export const contextPrefix = 'ctx.';
/** The query parameters that contain a context. Use them as `patternProperties`. */
export const contextParameters = {
  '^ctx\\..{1,100}$': Type.String({
    maxLength: maxRuleValueLength,
    description: 'An attribute that the rules of a release use, such as `ctx.plan=internal`. At most 10.',
  }),
};
