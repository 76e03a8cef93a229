import { type Static, Type } from 'typebox';
import { CandidateId, candidateReference } from './candidates.ts';
import { CaseCheck } from './cases.ts';
import { LabelOrLatest } from './labels.ts';
import { listOf, pageParameters } from './lists.ts';
import { ModelName } from './models.ts';
import { Person } from './people.ts';
import { Connection, exampleRun, RunError, TokenUsage } from './runs.ts';
import { bodyOf, objectOf, orNull, queryOf } from './shapes.ts';
import { VersionNumber } from './versions.ts';

const exampleCheckRequest = { version: 3, connection: 'OpenAI' };
export const CheckRequest = bodyOf('CheckRequest', exampleCheckRequest, {
  label: Type.Optional(LabelOrLatest),
  version: Type.Optional(VersionNumber),
  candidate: Type.Optional(CandidateId),
  connection: Type.Optional(
    Type.String({
      ...Connection,
      description: 'The id or name of the model connection. Not needed if all checks apply to the rendered prompt.',
    }),
  ),
  model: Type.Optional(ModelName),
  parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 8, default: 4, description: 'How many test cases run at the same time.' })),
});
export type CheckRequest = Static<typeof CheckRequest>;

const exampleResult = { kind: 'contains', on: 'output', value: 'Ada', passed: true, message: '' };
const CheckResult = objectOf('CheckResult', exampleResult, {
  ...CaseCheck.properties,
  passed: Type.Boolean(),
  message: Type.String({ description: 'Why the check failed, or the judge’s answer.' }),
});
export type CheckResult = Static<typeof CheckResult>;

const exampleCaseResult = {
  id: 'c_mi4w7x2c_000a1d4b8365f0c9a7e',
  name: 'Greets by name',
  passed: true,
  checks: [exampleResult],
  output: 'Hello Ada!',
  error: null,
  usage: exampleRun.usage,
  cost: exampleRun.cost,
  firstTokenMs: 310,
  durationMs: 480,
};
export const CaseResult = objectOf('CaseResult', exampleCaseResult, {
  id: Type.String(),
  name: Type.String(),
  passed: Type.Boolean(),
  checks: Type.Array(CheckResult),
  output: orNull(Type.String(), 'The first 4,000 characters of the model’s output. Null if no model was needed.'),
  error: orNull(
    Type.Object({ ...RunError.properties, code: Type.String() }),
    'Why the test case could not be run. Null if the test case ran, even if checks failed.',
  ),
  usage: orNull(TokenUsage, 'The tokens that the model used. Null if no model was needed.'),
  cost: orNull(Type.Number(), 'The cost in US dollars, including judges. Null if the price is unknown.'),
  firstTokenMs: orNull(Type.Integer(), 'Time until the first token.'),
  durationMs: orNull(Type.Integer(), 'Duration of the model’s response.'),
});
export type CaseResult = Static<typeof CaseResult>;

const summary = {
  id: Type.String({ description: 'Starts with `k_`.' }),
  version: orNull(Type.Integer(), 'Null for a candidate.'),
  candidate: Type.Optional(
    Type.Object(candidateReference, {
      description: 'The candidate that was checked. Its check runs also count for the version that is made from it.',
    }),
  ),
  connection: orNull(Type.Object({ id: Type.String(), name: Type.String() }), 'Null if no model was needed.'),
  model: orNull(Type.String(), 'Null if no model was needed.'),
  passed: Type.Integer({ description: 'How many test cases passed.' }),
  failed: Type.Integer({ description: 'How many test cases failed.' }),
  current: Type.Boolean({
    description: 'Whether the test cases are unchanged since the check run. Gated labels require a current check run.',
  }),
  cost: orNull(Type.Number(), 'The cost in US dollars of the models that have a price. Null if no model has a price.'),
  durationMs: Type.Integer(),
  createdAt: Type.String(),
  by: Person,
};
const exampleSummary = {
  id: 'k_mi4w7x2c_000a1d4b8365f0c9a7e',
  version: 3,
  connection: exampleRun.connection,
  model: exampleRun.model,
  passed: 1,
  failed: 0,
  current: true,
  cost: exampleRun.cost,
  durationMs: 512,
  createdAt: exampleRun.createdAt,
  by: exampleRun.by,
};
export const CheckSummary = objectOf('CheckSummary', exampleSummary, summary);
export type CheckSummary = Static<typeof CheckSummary>;
export const CheckList = listOf('CheckList', CheckSummary);

export const Check = objectOf('Check', { ...exampleSummary, cases: [exampleCaseResult] }, { ...summary, cases: Type.Array(CaseResult) });
export type Check = Static<typeof Check>;

export const CheckListQuery = queryOf({
  ...pageParameters,
  version: Type.Integer({ ...VersionNumber, description: 'Only check runs of this version.' }),
});
export type CheckListQuery = Static<typeof CheckListQuery>;
