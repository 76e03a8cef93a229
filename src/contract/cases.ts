import { type Static, Type } from 'typebox';
import { checkKinds, checkSubjects } from './check-kinds.ts';
import { Label } from './labels.ts';
import { maxCaseChecks, maxCheckTextLength, maxPromptCases } from './limits.ts';
import { listOf } from './lists.ts';
import { ModelName } from './models.ts';
import { Variables } from './render.ts';
import { Connection } from './runs.ts';
import { bodyOf, changeOf, exactObject, objectOf } from './shapes.ts';

const exampleCaseCheck = { kind: 'contains', value: 'Ada', on: 'output' };
export const CaseCheck = bodyOf('CaseCheck', exampleCaseCheck, {
  kind: Type.Enum([...checkKinds]),
  on: Type.Optional(
    Type.Enum([...checkSubjects], {
      description: 'What the check looks at: the model’s output (default), or the rendered prompt, which requires no model.',
    }),
  ),
  value: Type.Optional(
    Type.Unknown({
      description:
        'Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`; a JSON Schema for `jsonSchema`; a number ' +
        'for `maxCharacters`, `maxTokens` and `maxLatencyMs`; a prompt name for `judge`, unless it has a `rubric`; nothing for `json`.',
    }),
  ),
  rubric: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxCheckTextLength,
      description:
        'For `judge`: the requirement in words, such as “Is polite and names the order”. A rubric replaces the prompt in `value`.',
    }),
  ),
  label: Type.Optional(Type.String({ ...Label, description: 'For `judge`: the label of the prompt. Default: `production`.' })),
  connection: Type.Optional(
    Type.String({
      ...Connection,
      description: 'For `judge`: the id or name of the model connection. Default: the connection of the check run.',
    }),
  ),
  model: Type.Optional(
    Type.String({
      ...ModelName,
      description: 'For `judge`: the model. Default: the model of its prompt, of its connection, or of the check run.',
    }),
  ),
});
export type CaseCheck = Static<typeof CaseCheck>;

const name = Type.String({ minLength: 1, maxLength: 200 });
const checks = Type.Array(CaseCheck, { maxItems: maxCaseChecks, description: 'The test case passes if all checks pass.' });

const exampleCase = {
  id: 'c_mi4w7x2c_000a1d4b8365f0c9a7e',
  name: 'Greets by name',
  variables: { name: 'Ada' },
  checks: [{ kind: 'contains', on: 'output', value: 'Ada' }],
  createdAt: '2026-11-15T08:00:00.000Z',
  updatedAt: '2026-11-15T08:00:00.000Z',
};
export const Case = objectOf('Case', exampleCase, {
  id: Type.String({ description: 'Starts with `c_`.' }),
  name,
  variables: Variables,
  checks,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type Case = Static<typeof Case>;
export const CaseList = listOf('CaseList', Case);

const newCase = { name, variables: Type.Optional(Variables), checks: Type.Optional(checks) };

export const NewCase = bodyOf('NewCase', { name: exampleCase.name, variables: exampleCase.variables, checks: exampleCase.checks }, newCase);
export type NewCase = Static<typeof NewCase>;

const exampleCaseChange = { name: 'Greets politely' };
export const CaseChange = changeOf('CaseChange', exampleCaseChange, { name, variables: Variables, checks });
export type CaseChange = Static<typeof CaseChange>;

const ignored = Type.Optional(Type.String({ description: 'Ignored. You can send test cases in the format of the list response.' }));

const exampleCaseImport = { data: [{ name: exampleCase.name, variables: exampleCase.variables }] };
export const CaseImport = bodyOf('CaseImport', exampleCaseImport, {
  data: Type.Array(exactObject({ ...newCase, id: ignored, createdAt: ignored, updatedAt: ignored }), {
    minItems: 1,
    maxItems: maxPromptCases,
    description: 'Test cases in the format of the list response. They are added to the existing test cases.',
  }),
});
export type CaseImport = Static<typeof CaseImport>;

export const ImportedCases = objectOf('ImportedCases', { data: [exampleCase] }, { data: Type.Array(Case) });
