import { type Static, Type } from 'typebox';
import { maxCandidateTitleLength } from './limits.ts';
import { listOf } from './lists.ts';
import { examplePerson, Person } from './people.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { exampleVersion, Version, VersionNumber, versionInput } from './versions.ts';
import { Warning } from './warnings.ts';

// A candidate is content that several people can work on before it becomes a version. It has no version number and cannot have labels.

/** The id of a candidate in a request that can also be about a version. */
export const CandidateId = Type.String({ maxLength: 100, description: 'The id of a candidate, instead of a label or a version.' });

/** The state of a candidate at the time when someone used it. */
export const candidateReference = { id: Type.String(), title: Type.String(), revision: Type.Integer() };

const { labels: _labels, message, ...content } = versionInput;
const Title = Type.String({ minLength: 1, maxLength: maxCandidateTitleLength, description: 'What the candidate is about.' });
const Revision = Type.Integer({
  minimum: 1,
  maximum: 2 ** 31 - 1,
  description: 'Increases with every change. A change that names an older revision is refused with 409 `candidate_changed`.',
});
const BaseVersion = Type.Integer({
  ...VersionNumber,
  description: 'The version on which the candidate is based. Default: the newest version, or the candidate’s previous base version.',
});
const input = { title: Title, ...content, message, baseVersion: Type.Optional(BaseVersion) };

const { name, type, syntax, template, messages, variables, tools, output, config } = Version.properties;
const { labels: _, version: __, by: ___, createdAt: ____, ...exampleContent } = exampleVersion;

const exampleCandidate = {
  id: 'cand_mi4w7x2c_000a1d4b8365f0c9a7e',
  title: 'A warmer tone',
  revision: 2,
  ...exampleContent,
  baseVersion: 3,
  createdAt: '2026-11-15T08:30:00.000Z',
  createdBy: examplePerson,
  changedAt: '2026-11-15T09:10:00.000Z',
  changedBy: examplePerson,
};
const candidateFields = {
  id: Type.String({ description: 'Starts with `cand_`.' }),
  title: Type.String(),
  revision: Revision,
  ...{ name, type, syntax, template, messages, variables, tools, output, config },
  message: Version.properties.message,
  baseVersion: Type.Integer(),
  createdAt: Type.String(),
  createdBy: Person,
  changedAt: Type.String(),
  changedBy: Type.Object(Person.properties, { description: 'Who last changed the content.' }),
};
export const Candidate = objectOf('Candidate', exampleCandidate, candidateFields);
export type Candidate = Static<typeof Candidate>;
export const CandidateList = listOf('CandidateList', Candidate);

export const SavedCandidate = objectOf(
  'SavedCandidate',
  { ...exampleCandidate, warnings: [] },
  { ...candidateFields, warnings: Type.Array(Warning, { description: 'Problems that did not prevent saving the candidate.' }) },
);
export type SavedCandidate = Static<typeof SavedCandidate>;

const exampleNewCandidate = { title: 'A warmer tone', template: 'Kindly classify this request from {{ customer }}: {{ request }}' };
export const NewCandidate = bodyOf('NewCandidate', exampleNewCandidate, input);
export type NewCandidate = Static<typeof NewCandidate>;

export const CandidateChange = bodyOf('CandidateChange', { ...exampleNewCandidate, revision: 2 }, { ...input, revision: Revision });
export type CandidateChange = Static<typeof CandidateChange>;

export const CandidateApplication = bodyOf(
  'CandidateApplication',
  { revision: 2, labels: ['staging'] },
  { revision: Revision, labels: versionInput.labels },
);
export type CandidateApplication = Static<typeof CandidateApplication>;
